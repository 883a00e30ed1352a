// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/recording.h"

#include <algorithm>

namespace ravel {

Recording read_recording(const FreeRun& run) {
  Recording recording;
  const std::size_t threads = std::min<std::size_t>(run.threads, kMaxFreeThreads);
  recording.threads.reserve(threads);
  for (std::size_t i = 0; i < threads; ++i) {
    recording.threads.push_back({run.thread[i].creator, run.thread[i].birth});
  }
  const std::size_t chunks = std::min<std::size_t>(run.chunks, kMaxEventChunks);
  for (std::size_t i = 0; i < chunks; ++i) {
    const EventChunk& chunk = run.chunk[i];
    if (chunk.task >= threads) continue;  // claimed, but not written
    for (const FreeEvent& event : chunk.event) {
      if (event.clock == 0) break;
      if (static_cast<unsigned>(event.kind) >= kOperationKinds) continue;
      recording.events.push_back({event.clock, chunk.task, event.kind, event.pc, event.object});
    }
  }
  return recording;
}

std::vector<std::uint64_t> recorded_access_sites(const Recording& recording) {
  std::vector<std::uint64_t> pcs;
  for (const RecordedEvent& event : recording.events) {
    if (event.kind <= OperationKind::read_write) pcs.push_back(event.pc);
  }
  std::sort(pcs.begin(), pcs.end());
  pcs.erase(std::unique(pcs.begin(), pcs.end()), pcs.end());
  return pcs;
}

}  // namespace ravel
