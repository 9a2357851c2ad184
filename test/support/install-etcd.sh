#!/usr/bin/env bash
# Installs etcd, and etcdctl, for the tests that need one, if CI=true or ETCD=1 asks for it. Others skip these tests, and are told so.
set -uo pipefail

{ [ -n "${ETCD_BINARY:-}" ] || command -v etcd; } >/dev/null && command -v etcdctl >/dev/null && exit 0
[ "${CI:-}" = true ] || [ "${ETCD:-}" = 1 ] || exit 0

cannot() {
  echo "etcd cannot be installed: $1. Tests that need it are skipped, or fail with ETCD=1; install it yourself, or name it with ETCD_BINARY." >&2
  exit 0
}
command -v apt-get >/dev/null || cannot 'there is no apt-get'
sudo=()
if [ "$(id -u)" != 0 ]; then
  sudo -n true 2>/dev/null || cannot 'this user is not root and cannot use sudo'
  sudo=(sudo -n)
fi
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" timeout 120 apt-get update -qq >/dev/null || cannot 'apt-get update failed'
"${sudo[@]}" timeout 300 apt-get install -qq -y --no-install-recommends etcd-server etcd-client >/dev/null ||
  cannot 'apt-get install etcd-server etcd-client failed'
