#!/usr/bin/env bash
# How fast the pendulum's path converges: convergence.csv and convergence.svg of this folder, anew.
# usage: convergence.sh LITHE_PROGRAM
set -euo pipefail
lithe=$(readlink -f -- "$1")
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

path() { # CASE FLEXIBILITY FILE: where the tip is in the first second, and how far from a stiff arm's
  "$lithe" run "$1.yaml" -o "$scratch" --overwrite --set "links[strip].beam.flexibility=$2" --set 'simulate.for=1 s' \
    --set 'simulate.output_step=0.05 s' --set simulate.rtol=1e-10 --set simulate.atol=1e-14 >/dev/null 2>&1
  "$lithe" export "$scratch" --columns t,tip.x,tip.z,tip_error.x,tip_error.z -o "$3" >/dev/null 2>&1
}
distance() { # FILE REFERENCE: largest distance of the tips, as a part of the reference's largest tip error
  paste -d, "$1" "$2" | awk -F, 'NR > 1 { d = sqrt(($2-$7)^2 + ($3-$8)^2); e = sqrt($9^2 + $10^2)
                                          if (d > D) D = d; if (e > E) E = e } END { printf "%.3g", D / E }'
}

echo "case,kind,n,error" >convergence.csv
for case in case hammer; do
  path $case '{modes: {bending_z: 8}}' "$scratch/thin"           # without shear
  path $case '{elements: 16, plane: z, keep: 10}' "$scratch/thick" # with it
  path $case '{segments: 16}' "$scratch/pieces"
  path $case '{segments: 32}' "$scratch/fine_pieces"
  try() { # KIND N FLEXIBILITY REFERENCE
    path $case "$3" "$scratch/now"
    echo "$case,$1,$2,$(distance "$scratch/now" "$scratch/$4")" | tee -a convergence.csv
  }
  for n in 1 2 3 4 5; do try polynomial $n "{modes: {bending_z: $n}}" thin; done
  for n in 1 2 4 8 12; do try clamped-free $n "{modes: {bending_z: $n, shape: clamped-free}}" thin; done
  for n in 1 2 4; do try elements $n "{elements: $n, plane: z}" thick; done
  for n in 3 4 6; do try keep $n "{elements: 16, plane: z, keep: $n}" thick; done
  for n in 2 4 8; do try segments $n "{segments: $n}" fine_pieces; done
  try segments-limit 32 '{segments: 32}' thin
done

gnuplot <<'PLOT'
set terminal svg size 900,420 font "Helvetica,13" background "white"
set output "convergence.svg"
set datafile separator ","
set logscale xy
set xrange [0.9:13]; set yrange [3e-8:0.3]
set format y "10^{%L}"
set xtics (1, 2, 4, 8, 12)
set grid ytics lc rgb "#dddddd"
set xlabel "shapes, elements or segments"
set multiplot layout 1,2
pick(c, k) = sprintf("< awk -F, '$1 == \"%s\" && $2 == \"%s\"' convergence.csv", c, k)
draw = 'plot pick(c, "clamped-free") using 3:4 with linespoints lw 2 pt 7 ps 0.6 lc rgb "#d55e00" title "clamped-free", \
             pick(c, "segments") using 3:4 with linespoints lw 2 pt 7 ps 0.6 lc rgb "#cc79a7" title "segments", \
             pick(c, "elements") using 3:4 with linespoints lw 2 pt 7 ps 0.6 lc rgb "#009e73" title "elements", \
             pick(c, "keep") using 3:4 with linespoints lw 2 pt 7 ps 0.6 lc rgb "#e69f00" title "16 elements, keep n", \
             pick(c, "polynomial") using 3:4 with linespoints lw 2 pt 7 ps 0.6 lc rgb "#0072b2" title "polynomial"'
c = "case"
set title "a strip"
set ylabel "largest error of the tip"
unset key
eval draw
c = "hammer"
set title "a strip that carries a link"
unset ylabel
set key bottom left Left reverse samplen 2
eval draw
PLOT
