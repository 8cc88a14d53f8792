// Components compiled into ONNX Runtime's library, from its list of third parties (ThirdPartyNotices.txt in its public
// repository), limited to those in the CPU build.
import type { BuiltInPart } from "./built-in-part.ts";

const part = (name: string, licence: string, copyright: string, source: string): BuiltInPart => ({
  name,
  inside: "onnxruntime-node",
  licence,
  copyright,
  source,
});

export const ONNX_PARTS: readonly BuiltInPart[] = [
  part(
    "Abseil",
    "Apache-2.0",
    "Copyright 2017-2025 The Abseil Authors, Google Inc.",
    "https://github.com/abseil/abseil-cpp",
  ),
  part(
    "cpuinfo",
    "BSD-2-Clause",
    "Copyright (c) 2012-2017 Georgia Institute of Technology; 2010-2012 Marat Dukhan; 2017-2019 Facebook Inc.; 2019 Google LLC",
    "https://github.com/pytorch/cpuinfo",
  ),
  part("date", "MIT", "Copyright (c) 2015-2021 Howard Hinnant and others", "https://github.com/HowardHinnant/date"),
  part(
    "Eigen",
    "MPL-2.0",
    "Copyright (C) 2008-2025 Gael Guennebaud, Benoit Jacob and the other authors of Eigen",
    "https://gitlab.com/libeigen/eigen",
  ),
  part("FlatBuffers", "Apache-2.0", "Copyright 2014-2025 Google Inc.", "https://github.com/google/flatbuffers"),
  part(
    "Guidelines Support Library",
    "MIT",
    "Copyright (c) 2015 Microsoft Corporation",
    "https://github.com/microsoft/GSL",
  ),
  part("JSON for Modern C++", "MIT", "Copyright (c) 2013-2025 Niels Lohmann", "https://github.com/nlohmann/json"),
  part(
    "KleidiAI (arm64)",
    "Apache-2.0",
    "Copyright 2024-2025 Arm Limited and its affiliates",
    "https://github.com/ARM-software/kleidiai",
  ),
  part("Boost.Mp11", "BSL-1.0", "Copyright 2015-2024 Peter Dimov", "https://github.com/boostorg/mp11"),
  part("ONNX", "Apache-2.0", "Copyright (c) ONNX Project Contributors", "https://github.com/onnx/onnx"),
  part("Protocol Buffers", "BSD-3-Clause", "Copyright 2008 Google Inc.", "https://github.com/protocolbuffers/protobuf"),
  part("RE2", "BSD-3-Clause", "Copyright (c) 2009 The RE2 Authors", "https://github.com/google/re2"),
  part("SafeInt", "MIT", "Copyright (c) 2018 Microsoft Corporation", "https://github.com/dcleblanc/SafeInt"),
];
