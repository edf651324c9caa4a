#!/usr/bin/env bash
# Accuracy against multiplications for every kind of flexibility: accuracy.csv and accuracy.svg of this folder, anew.
# usage: accuracy.sh LITHE_PROGRAM
set -euo pipefail
lithe=$(readlink -f -- "$1")
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

complete=(--set arm.tip_rotation=finite --set arm.inertia=complete)
printed=(--set arm.tip_rotation=small --set arm.inertia=first-order --set simulate.formulation=recursive-lagrangian)
small=(--set arm.tip_rotation=small --set simulate.formulation=recursive-lagrangian)
first=(--set arm.inertia=first-order --set simulate.formulation=recursive-lagrangian)

bends() { # MAST BOOM: the options that give mast and boom these flexibilities
  flexible=(--set "links[mast].beam.flexibility=$1" --set "links[boom].beam.flexibility=$2")
}
path() { # FILE OPTION...: where the tip is over the run, and how far from a stiff arm's
  local file=$1
  shift
  rm -rf "$scratch/run"
  "$lithe" run case.yaml -o "$scratch/run" "${flexible[@]}" "$@" >/dev/null 2>&1
  "$lithe" export "$scratch/run" --columns t,tip.x,tip.y,tip.z,tip_error.x,tip_error.y,tip_error.z -o "$file" >/dev/null 2>&1
}
distance() { # FILE REFERENCE: largest distance of the tips, as a part of the reference's largest tip error
  paste -d, "$1" "$2" | awk -F, 'NR > 1 { d = sqrt(($2-$9)^2 + ($3-$10)^2 + ($4-$11)^2); e = sqrt($12^2 + $13^2 + $14^2)
                                          if (d > D) D = d; if (e > E) E = e } END { printf "%.3g", D / E }'
}
work() { # FORMULATION OPTION...: coordinates, multiplications and additions of one forward evaluation
  local name=$1
  shift
  "$lithe" compare case.yaml --count "${flexible[@]}" "$@" 2>/dev/null |
    awk -v name="$name" '/ coordinates; / { n = $2 } $1 == name { print n "," $2 "," $3 }'
}

echo "kind,size,options,formulation,coordinates,multiplications,additions,error" >accuracy.csv
try() { # KIND SIZE MAST BOOM REFERENCE: one model, by every formulation that has it
  bends "$3" "$4"
  path "$scratch/now" "${complete[@]}"
  local error formulation
  error=$(distance "$scratch/now" "$scratch/$5")
  for formulation in recursive-lagrangian kane articulated; do
    echo "$1,$2,complete,$formulation,$(work $formulation "${complete[@]}"),$error" | tee -a accuracy.csv
  done
}
try_printed() { # KIND SIZE FLEXIBILITY REFERENCE: the same with the paper's simplifications, all and one at a time
  bends "$3" "$3"
  path "$scratch/now" "${printed[@]}"
  echo "$1,$2,printed,recursive-lagrangian,$(work recursive-lagrangian "${printed[@]}"),$(distance "$scratch/now" "$scratch/$4")" | tee -a accuracy.csv
  path "$scratch/now" "${small[@]}"
  echo "$1,$2,small,recursive-lagrangian,$(work recursive-lagrangian "${small[@]}"),$(distance "$scratch/now" "$scratch/$4")" | tee -a accuracy.csv
  path "$scratch/now" "${first[@]}"
  echo "$1,$2,first-order,recursive-lagrangian,$(work recursive-lagrangian "${first[@]}"),$(distance "$scratch/now" "$scratch/$4")" | tee -a accuracy.csv
}

# What each kind converges to: shapes neglect shear, elements have it, segments turn by finite angles.
shapes='{modes: {bending_y: 6, bending_z: 6, torsion: 5}}'
bends "$shapes" "$shapes"
path "$scratch/shapes" "${complete[@]}"
bends '{elements: 8}' '{elements: 8}'
path "$scratch/elements" "${complete[@]}"
bends '{segments: 32}' '{segments: 32}'
path "$scratch/segments" "${complete[@]}"
echo "elements-limit,8,complete,,,,,$(distance "$scratch/elements" "$scratch/shapes")" | tee -a accuracy.csv
echo "segments-limit,32,complete,,,,,$(distance "$scratch/segments" "$scratch/shapes")" | tee -a accuracy.csv

for n in 1 2 3; do
  shapes="{modes: {bending_y: $n, bending_z: $n, torsion: $n}}"
  try modes $n "$shapes" "$shapes" shapes
  try_printed modes $n "$shapes" shapes
done
for n in 1 2 4; do try elements $n "{elements: $n}" "{elements: $n}" elements; done
for n in 1 2 4 8; do try segments $n "{segments: $n}" "{segments: $n}" segments; done
try segments 2+3 '{segments: 2}' '{segments: 3}' segments # 15 imaginary joints and 6 real ones, as in the paper

gnuplot <<'PLOT'
set terminal svg size 900,460 font "Helvetica,13" background "white"
set output "accuracy.svg"
set datafile separator ","
set logscale xy
set xrange [900:160000]; set yrange [1e-7:0.1]
set format y "10^{%L}"
set xtics ("1 000" 1000, "2 000" 2000, "5 000" 5000, "10 000" 10000, "20 000" 20000, "50 000" 50000)
set grid lc rgb "#dddddd"
set xlabel "multiplications of one evaluation"
set ylabel "largest error of the tip"
set key at graph 0.99, graph 0.6
pick(k, o, f) = sprintf("< awk -F, '$1 == \"%s\" && $3 == \"%s\" && $4 == \"%s\"' accuracy.csv | sort -t, -n -k6", k, o, f)
b = "recursive-lagrangian"; a = "articulated"
plot pick("modes", "printed", b) using 6:8 with linespoints lw 2 pt 6 ps 0.8 lc rgb "#d55e00" title "shapes, as printed", \
     pick("modes", "complete", b) using 6:8 with linespoints lw 2 pt 7 ps 0.7 lc rgb "#0072b2" title "shapes, complete", \
     pick("elements", "complete", b) using 6:8 with linespoints lw 2 pt 7 ps 0.7 lc rgb "#009e73" title "elements", \
     pick("segments", "complete", b) using 6:8 with linespoints lw 2 pt 7 ps 0.7 lc rgb "#cc79a7" title "imaginary joints", \
     pick("modes", "complete", a) using 6:8 with linespoints lw 1 dt 2 pt 9 ps 0.7 lc rgb "#0072b2" title "shapes, articulated", \
     pick("elements", "complete", a) using 6:8 with linespoints lw 1 dt 2 pt 9 ps 0.7 lc rgb "#009e73" title "elements, articulated", \
     pick("segments", "complete", a) using 6:8 with linespoints lw 1 dt 2 pt 9 ps 0.7 lc rgb "#cc79a7" title "joints, articulated"
PLOT
