import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Two small pieces of work around every series, and the system's count of interruptions, by which
 * the laboratory tells a disturbed one: lab/src/canary.rs says how.
 */
final class Canary {
    /** Nanoseconds per dependent step, and per round of the throughput loop. */
    record Reading(double chain, double load) {}

    private static final int STEPS = 16_000;
    private static final int ROUNDS = 500;
    private static final int TRIES = 3;

    /** So often each loop runs untimed, for the compiler of the virtual machine. */
    private static final int WARM = 2000;

    /** What the loops compute goes here, so that they are not left out. */
    private static volatile long sink = 1;

    /**
     * Whether the virtual machine compiles: where it interprets, a step takes many cycles, and
     * a chain of them tells nothing of the core's.
     */
    static final boolean COMPILED =
            !System.getProperty("java.vm.info", "").contains("interpreted");

    private final long overhead;

    Canary(long overhead) {
        this.overhead = overhead;
        for (int i = 0; COMPILED && i < WARM; i++) {
            sink = chain(sink, STEPS);
            throughput();
        }
    }

    Reading read() {
        double each = least(() -> sink = chain(sink, STEPS));
        return new Reading(each / STEPS, least(Canary::throughput));
    }

    private double least(Runnable work) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            long start = System.nanoTime();
            work.run();
            least = Math.min(least, Math.max(System.nanoTime() - start - overhead, 1));
        }
        return least;
    }

    /** A core cycle a step: each waits for the one before, and no two make one instruction. */
    private static long chain(long seed, int steps) {
        long a = seed | 1;
        long b = 1;
        for (int i = 0; i < steps / 16; i++) {
            a += b;
            b ^= a;
            a += b;
            b ^= a;
            a += b;
            b ^= a;
            a += b;
            b ^= a;
            a += b;
            b ^= a;
            a += b;
            b ^= a;
            a += b;
            b ^= a;
            a += b;
            b ^= a;
        }
        return b;
    }

    /** Independent chains of ordinary integers, which a neighbour on the same core slows down. */
    private static void throughput() {
        long a = sink | 1;
        long b = a + 1;
        long c = a + 2;
        long d = a + 3;
        for (int i = 0; i < ROUNDS; i++) {
            a = (a ^ (a >>> 29)) * 0xbf58476d1ce4e5b9L;
            b = (b ^ (b >>> 29)) * 0xbf58476d1ce4e5b9L;
            c = (c ^ (c >>> 29)) * 0xbf58476d1ce4e5b9L;
            d = (d ^ (d >>> 29)) * 0xbf58476d1ce4e5b9L;
        }
        sink = a ^ b ^ c ^ d;
    }

    /**
     * How often this thread was put on a CPU; negative where the system does not tell
     * (proc_pid_schedstat(5)).
     */
    static long turns() {
        try {
            String text = Files.readString(Path.of("/proc/thread-self/schedstat"));
            return Long.parseLong(text.trim().split("\\s+")[2]);
        } catch (IOException | RuntimeException unknown) {
            return -1;
        }
    }
}
