# Tip error of case 1 by four models: docs/literal-thesis.svg from docs/literal-thesis.csv. Run from the repository's root:
#   lithe-bench literal-thesis --json | tail -1 | jq -r '.history[] | @csv' > docs/literal-thesis.csv
#   gnuplot docs/literal-thesis.gp
set terminal svg size 800,400 font "Helvetica,13" background "white"
set output "docs/literal-thesis.svg"
set datafile separator ","
set xlabel "time [s]"
set ylabel "tip error along y [mm]"
set grid lc rgb "#dddddd"
set key bottom right
plot "docs/literal-thesis.csv" using 1:($5*1e3) with lines lw 1 lc rgb "#999999" title "quasi-static", \
     "" using 1:($4*1e3) with lines lw 2 lc rgb "#d55e00" title "literal", \
     "" using 1:($3*1e3) with lines lw 3 lc rgb "#56b4e9" title "linear", \
     "" using 1:($2*1e3) with lines lw 1 lc rgb "#000000" title "nonlinear"
