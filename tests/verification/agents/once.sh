#!/bin/sh
# An engine for `cmd:` that answers once and ends: the first empty square. On some boards it fails, or hangs.
read -r board side
case $board in
    .../.X./...)
        echo "Out of ideas." >&2
        exit 3
        ;;
    .../..X/...) exec sleep 60 ;;
esac
cells=$(printf '%s' "$board" | tr -d /)
before=${cells%%.*}
echo ${#before}
