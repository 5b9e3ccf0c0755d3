# Shared by the scripts, which source it with `set -eu` on: where things are, progress, stamps, the lock.
# shellcheck shell=sh disable=SC2034 # the variables are for the scripts that source this

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
home=$root/.muser
python=$home/python/bin/python
deno=$home/bin/deno
case $(uname -s) in Darwin) library=$home/lib/libMuser.dylib ;; *) library=$home/lib/libMuser.so ;; esac

# Deno keeps what it compiles inside the checkout, asks nothing and looks for no newer version of itself.
DENO_DIR=$home/deno DENO_NO_PROMPT=1 DENO_NO_UPDATE_CHECK=1
export DENO_DIR DENO_NO_PROMPT DENO_NO_UPDATE_CHECK

# Progress goes to standard error: standard output is for data.
say() { printf 'muser: %s\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

# step TEXT COMMAND…: runs the command with its output in a log; says TEXT, the log's last line every ten seconds,
# and at the end the seconds it took. On failure shows what the log says of it and returns 1.
step() {
  step_text=$1
  shift
  mkdir -p "$home/log"
  step_log=$home/log/$(printf %s "$step_text" | tr -cs 'A-Za-z0-9\n' '-').txt
  step_begin=$(date +%s)
  say "$step_text"
  (while sleep 10 >/dev/null 2>&1; do
    say "  $(($(date +%s) - step_begin)) s $(tail -n 1 "$step_log" 2>/dev/null | cut -c 1-100)"
  done) &
  step_heartbeat=$!
  step_status=0
  "$@" >"$step_log" 2>&1 </dev/null || step_status=$?
  kill "$step_heartbeat" 2>/dev/null || true
  wait "$step_heartbeat" 2>/dev/null || true
  if [ "$step_status" -ne 0 ]; then
    # The errors of a compiler stand far from the end.
    grep -i -m 10 'error' "$step_log" >&2 || tail -n 10 "$step_log" >&2
    say "  the whole output is in $step_log"
    return 1
  fi
  say "  done in $(($(date +%s) - step_begin)) s"
}

# hash: of standard input, the same wherever it runs.
hash() { { sha256sum 2>/dev/null || shasum -a 256; } | cut -d ' ' -f 1; }

# Everything that the native library is built from, and how.
sources_hash() {
  (cd "$root" && find swift/Package.swift swift/Sources shaders scripts/build -type f -exec cksum {} + | LC_ALL=C sort | hash)
}

stamped() { [ "$(cat "$home/stamps/$1" 2>/dev/null)" = "$2" ]; }

stamp() {
  mkdir -p "$home/stamps"
  printf '%s\n' "$2" >"$home/stamps/$1"
}

# One setup at a time: tests start the command line several times at once.
lock() {
  mkdir -p "$home"
  lock_said=
  while ! mkdir "$home/lock" 2>/dev/null; do
    lock_owner=$(cat "$home/lock/process" 2>/dev/null || true)
    if [ -n "$lock_owner" ] && ! kill -0 "$lock_owner" 2>/dev/null; then
      rm -rf "$home/lock" # its owner was killed
      continue
    fi
    [ -n "$lock_said" ] || say "waiting for another setup in this checkout (remove $home/lock if there is none)"
    lock_said=1
    sleep 1
  done
  printf '%s\n' "$$" >"$home/lock/process"
  trap 'rm -rf "$home/lock"' EXIT
}

# The configuration to run Deno with: deno.json, or where JSR cannot be reached its offline twin.
config() {
  if [ -f "$root/deno.offline.json" ]; then echo "$root/deno.offline.json"; else echo "$root/deno.json"; fi
}
