# Reads what a step printed and adds to the file `names` a line for each failed test, and to `details` the first lines of
# its error. A step that broke without a failed test (`broken` is 1) is named itself, with its last lines.

function clip(line) { return length(line) > 200 ? substr(line, 1, 200) "…" : line }

# The error begins behind the lines of source that are shown above it.
function tell_error(    from, i) {
  from = 1
  for (i = 1; i <= held; i++) if (buffer[i] ~ /^[A-Za-z]*[Ee]rror: /) { from = i; break }
  for (i = from; i <= held && i < from + MOST; i++) print "  " clip(buffer[i]) >> details
  if (held >= from + MOST) print "  " clip(buffer[held]) >> details
}

BEGIN { MOST = 10 }

{ gsub(/\033\[[0-9;]*m/, "") }
/^test\/.*\.tsx?:$/ { file = substr($0, 1, length($0) - 1); held = 0; next }
# Where a run ends, its failures are named again.
/^[0-9]+ tests? (failed|skipped):$/ { again = 1 }
/^ [0-9]+ pass$/ { again = 0 }
again { next }
/^\((pass|skip|todo)\) / { held = 0; next }
/^\(fail\) / {
  failed++
  print step ": " file ": " clip(substr($0, 8)) >> names
  print file ": " clip(substr($0, 8)) >> details
  tell_error()
  held = 0
  next
}
/^  \^ / { print clip($0) >> details; next }
/^# Unhandled error/ { outside = 1; held = 0; next }
/^-+$/ && outside {
  if (held == 0) next
  failed++
  outside = 0
  print step ": " file ": an error outside of its tests" >> names
  print file ": an error outside of its tests" >> details
  tell_error()
  held = 0
  next
}
NF { buffer[++held] = $0; last[++lines] = $0 }
END {
  if (failed > 0 || !broken) exit
  print step ": failed without a failed test" >> names
  print step ", its last lines:" >> details
  for (i = lines > 15 ? lines - 14 : 1; i <= lines; i++) print "  " clip(last[i]) >> details
}
