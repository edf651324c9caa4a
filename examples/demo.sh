#!/usr/bin/env bash
# What `./lithe demo` runs: arms from case file to dynamics, report and film. Writes into ./demo.
set -euo pipefail
lithe=$1
examples=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
case=$examples/05_puma560/case.yaml
out=$PWD/demo
mkdir -p "$out"
pose=0,45deg,180deg,0,45deg

echo "The PUMA 560 of $case, at q = $pose:"
echo
"$lithe" eval "$case" --q "$pose" --v 0.1,0.2,0.8,0.2,0.5,1 --tau 1,3.2,1.8,0.1,0.7,4.6 \
  --what mass_matrix,gravity,acceleration,tip 2>"$out/warnings.txt"
"$lithe" eval "$case" --q "$pose" --json >"$out/puma.json" 2>/dev/null
echo
echo "Joint positions that bring its tip to (0.5, -0.2, 0.1) m, with roll, pitch and yaw of 0.3, 0.2 and 1 rad:"
echo
"$lithe" reach "$case" --position 0.5,-0.2,0.1 --rpy 0.3,0.2,1 2>/dev/null
"$lithe" sketch "$case" --q 0 --q 0,23deg,92deg --q "$pose" -o "$out/puma.svg" 2>/dev/null
echo
echo "The same arm under computed torque along a path:"
echo
"$lithe" run "$examples/08_puma_computed_torque/case.yaml" -o "$out" --overwrite 2>/dev/null | sed -n 1,2p
"$lithe" plot "$out" --y shoulder,elbow,shoulder.torque,elbow.torque -o "$out/motion.svg" >/dev/null 2>&1
echo
echo "An arm like the Space Shuttle's moves a one-tonne satellite and vibrates afterwards:"
echo
"$lithe" run "$examples/32_space_arm_payload/case.yaml" -o "$out/space_arm" --overwrite 2>/dev/null | sed -n 1,2p
page="$out/space_arm.html"
trouble=$("$lithe" report "$out/space_arm" -o "$page" 2>&1 >/dev/null) || page=
film="$out/space_arm.mp4"
echo
echo "Its film, drawn without a display (takes half a minute if there is no graphics processor):"
"$lithe" movie "$out/space_arm" --speed 3 --exaggerate 25 --dark --title "Space arm, one tonne" -o "$film" || film=
echo
echo "written:"
echo "  $out/puma.svg       a drawing of the arm"
echo "  $out/puma.json      the numbers above as JSON"
echo "  $out/results.h5     the run: every coordinate, rate, torque, energy over time"
echo "  $out/motion.svg     a figure of it"
echo "  $out/warnings.txt   warnings about the published table"
if [ -n "$page" ]; then
  echo "  $page  open it in a browser: the space arm in three dimensions, with adjustable magnification of its bending"
else
  echo "  no page of the space arm: $trouble"
fi
if [ -n "$film" ]; then
  echo "  $film   its film, at three times the speed, with the bending magnified 25 times"
else
  echo "  no film of the space arm: see above"
fi
echo "next: ./lithe info $out, or change a link in $case and run  ./lithe check $case"
