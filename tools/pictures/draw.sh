#!/usr/bin/env bash
# Draws the pictures of docs/ again, from what the algorithms decide now.
set -euo pipefail
cd "$(dirname "$0")/../.."

mkdir -p build
"${CXX:-c++}" -std=c++20 -O1 -I. tools/pictures/decide.cc tidegate/algorithm/*.cc \
  tidegate/base/*.cc -o build/pictures
build/pictures | python3 tools/pictures/draw.py docs/pictures
