#!/bin/sh
# Puts SM4-CTR, ZUC-128 and ZUC-256 into a tree of SUPERCOP's as implementations of crypto_stream:
#   bindings/supercop/export.sh FOLDER
# FOLDER is where SUPERCOP was unpacked. The library for C must be installed where the compiler looks:
# cipherlane.h, and libcipherlane to link with.
set -eu
if [ $# -ne 1 ]; then
    echo "usage: $0 FOLDER" >&2
    exit 2
fi
if [ ! -d "$1" ]; then
    echo "$1: no such folder; unpack SUPERCOP there first" >&2
    exit 1
fi
here=$(cd "$(dirname "$0")" && pwd)
# Primitive, algorithm, operation, bytes of the key and of the nonce.
while read -r primitive algorithm operation key nonce; do
    folder=$1/crypto_stream/$primitive/cipherlane
    mkdir -p "$folder"
    cp "$here/stream.c" "$folder/"
    printf '#define CRYPTO_KEYBYTES %s\n#define CRYPTO_NONCEBYTES %s\n' "$key" "$nonce" >"$folder/api.h"
    printf '#define CIPHERLANE_ALGORITHM "%s"\n#define CIPHERLANE_OPERATION "%s"\n' \
        "$algorithm" "$operation" >"$folder/operation.h"
    echo "Cipherlane" >"$folder/implementors"
    echo "$folder"
done <<'PRIMITIVES'
sm4ctr sm4 ctr 16 16
zuc128 zuc-128 keystream 16 16
zuc256 zuc-256 keystream 32 25
PRIMITIVES
