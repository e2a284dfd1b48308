#!/bin/sh
# An engine for `cmd:`, in shell: the first empty square by its number, counted from 1.
while read -r board side; do
    cells=$(printf '%s' "$board" | tr -d /)
    before=${cells%%.*}
    echo $((${#before} + 1))
done
