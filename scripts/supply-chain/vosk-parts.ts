// Components compiled into Vosk's WebAssembly, from its build script (https://github.com/ccoreilly/vosk-browser).
import type { BuiltInPart } from "./built-in-part.ts";

const inside = "@lichess-org/vosk-browser";

export const VOSK_PARTS: readonly BuiltInPart[] = [
  {
    name: "Vosk",
    inside,
    licence: "Apache-2.0",
    copyright: "Copyright 2019-2022 Alpha Cephei Inc.",
    source: "https://github.com/alphacep/vosk-api",
  },
  {
    name: "Kaldi",
    inside,
    licence: "Apache-2.0",
    // From its COPYING, which also names JAMA (public domain) and code of Henrique S. Malvar, used with his permission.
    copyright:
      "Copyright 2009-2019 Mohit Agarwal, Gilles Boulianne, Lukas Burget, Cisco Corporation, Ondrej Glembek, Arnab Ghoshal, Go Vivace Inc., Mirko Hannemann, Navdeep Jaitly, Johns Hopkins University, Yajie Miao, Microsoft Corporation, Petr Motlicek, Vassil Panayotov, Ariya Rastrow, Saarland University, Petr Schwarz, Georg Stemmer, Jan Silovsky, Phonexia s.r.o., Yanmin Qian, Lucas Ondel, Karel Vesely, Haihua Xu and others",
    source: "https://github.com/kaldi-asr/kaldi",
  },
  {
    name: "OpenFst",
    inside,
    licence: "Apache-2.0",
    copyright: "Copyright 2005-2018 Google, Inc.",
    source: "https://www.openfst.org",
  },
  {
    name: "CLAPACK",
    inside,
    licence: "BSD-3-Clause",
    copyright:
      "Copyright (c) 1992-2008 The University of Tennessee and The University of Tennessee Research Foundation. All rights reserved.",
    source: "https://www.netlib.org/clapack",
  },
  {
    name: "libarchive",
    inside,
    licence: "BSD-2-Clause",
    copyright: "Copyright (c) 2003-2018 Tim Kientzle and the authors named in its files. All rights reserved.",
    source: "https://www.libarchive.org",
  },
  {
    name: "zlib",
    inside,
    licence: "Zlib",
    copyright: "(C) 1995-2022 Jean-loup Gailly and Mark Adler",
    source: "https://zlib.net",
  },
  {
    name: "Emscripten's runtime (with parts of musl and LLVM)",
    inside,
    licence: "MIT AND Apache-2.0 WITH LLVM-exception",
    copyright:
      "Copyright (c) 2010-2014 Emscripten authors; Copyright (c) 2005-2020 Rich Felker, et al.; Copyright the LLVM contributors",
    source: "https://github.com/emscripten-core/emscripten",
  },
];
