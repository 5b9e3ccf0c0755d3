// The threads that share a wide dispatch: started once, asleep between dispatches.
#include "include/MuserCPU.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

namespace {

/// A megabyte of values: up to here, waking another thread takes longer than the work.
constexpr uint64_t pieces_of_one_thread = 32'768;
/// The least that a thread takes: each part begins with a row that nobody has asked for ahead.
constexpr uint64_t pieces_a_part = 4'096;

/// A dispatch in parts, which threads take one after another until none is left. They become shorter, so that all
/// threads end at about the same time.
struct Work {
  MuserCPUKernel kernel;
  const void *arguments;
  void *const *buffers;
  uint64_t rows, fewest;  // of all parts, of a part
  std::atomic<uint64_t> next{0};

  void run() {
    for (uint64_t first = next.load(); first < rows;) {
      uint64_t left = rows - first, end = first + std::min(left, std::max(fewest, left / (2 * muser_cpu_threads())));
      if (!next.compare_exchange_weak(first, end)) continue;  // somebody else took it: `first` is what comes next
      kernel(arguments, buffers, first, end);
      first = next.load();
    }
  }
};

class Pool {
 public:
  explicit Pool(unsigned threads) {
    for (unsigned i = 1; i < threads; ++i) try {
        std::thread([this] { serve(); }).detach();
        ++helpers_;
      } catch (const std::system_error &) {
        break;  // the system gives out no more threads: fewer do
      }
  }

  bool is_useful() const { return helpers_ > 0; }

  /// Runs `work` on every thread, the caller's among them; false where the pool serves somebody else.
  bool run(Work &work) {
    std::unique_lock<std::mutex> turn(turn_, std::try_to_lock);
    if (!turn.owns_lock()) return false;
    offer(&work);
    wake_.notify_all();
    work.run();
    offer(nullptr);
    std::unique_lock<std::mutex> lock(state_);
    done_.wait(lock, [this] { return busy_ == 0; });
    return true;
  }

 private:
  /// A thread that wakes only after the work is done finds none: nobody waits for it.
  void offer(Work *work) {
    std::lock_guard<std::mutex> lock(state_);
    work_ = work;
    ++offers_;
  }

  void serve() {
    std::unique_lock<std::mutex> lock(state_);
    uint64_t seen = 0;
    for (;;) {
      wake_.wait(lock, [&] { return work_ != nullptr && seen != offers_; });
      seen = offers_;
      Work *work = work_;
      ++busy_;
      lock.unlock();
      work->run();
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::mutex turn_, state_;
  std::condition_variable wake_, done_;
  Work *work_ = nullptr;
  uint64_t offers_ = 0;
  unsigned helpers_ = 0, busy_ = 0;
};

unsigned cores() {
  unsigned number = std::thread::hardware_concurrency();
  return number > 0 ? number : 1;
}

unsigned wanted_threads() {
  const char *text = std::getenv("MUSER_CPU_THREADS");
  int number = text ? std::atoi(text) : 0;
  return number > 0 ? unsigned(number) : cores();
}

/// Never destroyed: its threads may be asleep in it when the process ends.
Pool &pool() {
  static Pool &pool = *new Pool(muser_cpu_threads());
  return pool;
}

}

uint64_t muser_cpu_cache_bytes(void) {
  // A core's own cache and its share of the common one, by measurement: writing past the caches is the quicker way from
  // 8 MB on where two cores share 8 MiB, and from about 64 MB on where 16 cores have 2 MiB each and share more.
  static const uint64_t bytes = cores() * (uint64_t(4) << 20);
  return bytes;
}

uint32_t muser_cpu_threads(void) {
  static const unsigned threads = wanted_threads() < 256 ? wanted_threads() : 256;
  return threads;
}

void muser_cpu_run(MuserCPUKernel kernel, const void *arguments, void *const *buffers, uint64_t rows,
                   uint64_t pieces_a_row) {
  if (rows > 1 && rows * pieces_a_row > pieces_of_one_thread && muser_cpu_threads() > 1 && pool().is_useful()) {
    Work work{kernel, arguments, buffers, rows, std::max<uint64_t>(1, pieces_a_part / pieces_a_row)};
    if (pool().run(work)) return;
  }
  kernel(arguments, buffers, 0, rows);
}
