#!/bin/sh
# Writes the root of a container: an executable, the libraries that it links, and the folders in which it writes.
#
#   make-root.sh executables/linux-x64/kubeloom root
set -eu
executable=$1 root=$2
mkdir -p "$root/usr/bin" "$root/tmp" "$root/data"
chmod 1777 "$root/tmp"
cp "$executable" "$root/usr/bin/kubeloom"
# ldd prints `name => path (address)`, and the path of the loader alone
ldd "$executable" | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
if [ "$(id -u)" = 0 ]; then chown 65532:65532 "$root/data"; fi
