// The twin of the engine's search, written for connect four alone: alpha-beta with the same table, the same order of moves and so
// the same nodes. Build: g++ -O3 -march=native -o connect_four connect_four.cpp. Run: connect_four DEPTH MEGABYTES RUNS.
// Prints the value, the nodes, and the processor seconds of the quickest run.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>

using u64 = uint64_t;

static const u64 BOTTOM = 0x40810204081ULL;  // the lowest cell of each of the seven columns, seven bits apart
static const u64 BOARD = BOTTOM * 63;
static const int MIDDLE_FIRST[7] = {3, 2, 4, 1, 5, 0, 6};
enum { LOWER = 1, UPPER = 2, EXACT = 3 };

struct Entry { u64 check, data; };
struct Bucket { Entry entry[2]; };

static Bucket *table;
static u64 buckets, nodes;

static inline bool has_line(u64 discs) {
    for (int shift : {1, 7, 6, 8}) {
        u64 pair = discs & (discs >> shift);
        if (pair & (pair >> (2 * shift))) return true;
    }
    return false;
}

static inline Bucket &bucket_of(u64 key) {
    u64 spread = (key ^ (key >> 32)) * 0x9E3779B97F4A7C15ULL;
    return table[((spread >> 32) * buckets) >> 32];
}

static inline int value_of(u64 data) { return int(int64_t(data & 0xFFFFFFFF) - (1LL << 31)); }
static inline int action_of(u64 data) { return int((data >> 32) & 0xFFFF) - 1; }
static inline int depth_of(u64 data) { return int((data >> 48) & 0xFF); }
static inline int bound_of(u64 data) { return int((data >> 56) & 3); }
static inline int complete_of(u64 data) { return int((data >> 58) & 1); }

static inline void store(u64 key, int value, int action, int depth, int bound, int complete) {
    u64 data = u64(value + (1LL << 31)) | u64(action + 1) << 32 | u64(depth) << 48 | u64(bound) << 56 | u64(complete) << 58;
    Bucket &bucket = bucket_of(key);
    Entry &first = bucket.entry[0], &second = bucket.entry[1];
    Entry *at = &first;
    if ((first.check ^ first.data) == key) {
        if (action < 0) data |= first.data & (0xFFFFULL << 32);
    } else if ((second.check ^ second.data) == key) {
        if (action < 0) data |= second.data & (0xFFFFULL << 32);
        at = &second;
    } else if (depth_of(first.data) > depth) {
        at = &second;
    } else {
        second = first;
    }
    at->check = key ^ data;
    at->data = data;
}

// The value for the player to move; `complete` tells whether only ends of the game stand behind it.
static int search(u64 mine, u64 full, int depth, int ply, int alpha, int beta, int &complete) {
    nodes++;
    u64 theirs = mine ^ full;
    if (has_line(theirs)) { complete = 1; return -1; }
    if (full == BOARD) { complete = 1; return 0; }
    if (depth <= 0) { complete = 0; return 0; }
    u64 key = mine + full + BOTTOM;
    int hint = -1;
    {
        const Bucket &bucket = bucket_of(key);
        u64 data = bucket.entry[0].data;
        if ((bucket.entry[0].check ^ data) != key) {
            data = bucket.entry[1].data;
            if ((bucket.entry[1].check ^ data) != key) data = 0;
        }
        int bound = bound_of(data);
        if (bound) {
            hint = action_of(data);
            if (ply > 0 && (depth_of(data) >= depth || complete_of(data))) {
                int value = value_of(data);
                if (bound == EXACT || (bound == LOWER && value >= beta) || (bound == UPPER && value <= alpha)) {
                    complete = complete_of(data);
                    return value;
                }
            }
        }
    }
    int moves[7], count = 0;
    u64 free = (full + BOTTOM) & BOARD;
    for (int column : MIDDLE_FIRST)
        if (free & (127ULL << (7 * column))) moves[count++] = column;
    if (hint >= 0 && ply > 0)
        for (int i = 0; i < count; i++)
            if (moves[i] == hint) { moves[i] = moves[0]; moves[0] = hint; break; }
    int best = -1000, action = -1, floor = alpha, all = 1;
    for (int i = 0; i < count; i++) {
        int below;
        int value = -search(theirs, full | (full + (1ULL << (7 * moves[i]))), depth - 1, ply + 1, -beta, -alpha, below);
        if (value > best) {
            best = value;
            action = moves[i];
            if (value > alpha) alpha = value;
        }
        if (best >= beta) { all = below; break; }
        all &= below;
    }
    int bound = best >= beta ? LOWER : best <= floor ? UPPER : EXACT;
    store(key, best, bound == UPPER ? -1 : action, depth, bound, all);
    complete = all;
    return best;
}

int main(int argc, char **argv) {
    int depth = argc > 1 ? atoi(argv[1]) : 14;
    u64 megabytes = argc > 2 ? strtoull(argv[2], nullptr, 10) : 64;
    int runs = argc > 3 ? atoi(argv[3]) : 3;
    buckets = (megabytes << 20) / sizeof(Bucket);
    table = static_cast<Bucket *>(aligned_alloc(64, buckets * sizeof(Bucket)));
    if (!table) { fprintf(stderr, "no memory\n"); return 1; }
    double quickest = 1e9;
    int value = 0, complete;
    for (int run = 0; run < runs; run++) {
        memset(table, 0, buckets * sizeof(Bucket));
        nodes = 0;
        clock_t start = clock();
        value = search(0, 0, depth, 0, -1, 1, complete);
        double seconds = double(clock() - start) / CLOCKS_PER_SEC;
        if (seconds < quickest) quickest = seconds;
    }
    printf("%d %llu %.6f\n", value, static_cast<unsigned long long>(nodes), quickest);
}
