# Counts the cells of the published table of 1000 Genomes, by region and locus: `name` cells of one name, `other` cells, `persons`.
BEGIN { FS = "\t" }
NR == 2 {
  for (i = 4; i <= NF; i++) {
    label = $i
    sub(/^HLA-/, "", label)
    sub(/ [12]\r?$/, "", label)
    locus[i] = label
  }
}
NR > 2 {
  persons[$1]++
  for (i = 4; i <= NF; i++) {
    cell = $i
    gsub(/[ \r]/, "", cell)
    if (cell ~ /^[0-9]+:[0-9]+N?$/) name[$1 "," locus[i] "," locus[i] "*" cell]++
    else other[$1 "," locus[i]]++
  }
}
END {
  for (key in name) print "name," key "," name[key]
  for (key in other) print "other," key ",," other[key]
  for (key in persons) print "persons," key ",,," persons[key]
}
