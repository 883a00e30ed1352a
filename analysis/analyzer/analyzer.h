// SPDX-License-Identifier: Apache-2.0
// answer(): handles one request: finds every point and, if the request asks for it and nothing is wrong, writes the
// woven copy. Called once per process by main.
#pragma once

#include "analysis/analyzer/request.h"

namespace ravel {

AnalyzerAnswer answer(const AnalyzerRequest& request);

}  // namespace ravel
