import java.util.HashSet;
import java.util.Set;

/** Times calls on the monotonic clock. */
final class Sampler {
    /** A call on the next message or batch. */
    interface Call {
        void run();
    }

    /**
     * The calls a sample, the samples in nanoseconds, the canaries before and after, and how often
     * another thread ran meanwhile; negative where that is unknown.
     */
    record Series(long repeats, long[] samples, Canary.Reading before, Canary.Reading after,
            long switches) {}

    /** A sample lasts at least so long. */
    private static final long SAMPLE = 15_000;

    /** So long it works untimed, for the compiler of the virtual machine. */
    private static final long WARM = 200_000_000;

    /** So long where the same code has worked on another length before: it is compiled. */
    private static final long WARM_AGAIN = 25_000_000;

    /** The codes that have worked. */
    private final Set<String> warm = new HashSet<>();

    private final long overhead;
    private final Canary canary;

    /** Finds what two readings with nothing between are apart. */
    Sampler() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 10_000; i++) {
            long start = System.nanoTime();
            least = Math.min(least, System.nanoTime() - start);
        }
        overhead = least;
        canary = new Canary(least);
    }

    /** Takes a series of the code of that name; each sample has a multiple of `unit` calls. */
    Series take(String code, Call call, long unit, long samples, long budget) {
        long untimed = warm.add(code) ? WARM : WARM_AGAIN;
        for (long start = System.nanoTime(); System.nanoTime() - start < untimed; ) {
            call.run();
        }
        long repeats = unit;
        long ticks = least(call, repeats);
        while (ticks < SAMPLE) {
            long wanted = (long) (repeats * 1.1 * SAMPLE / ticks);
            repeats = Math.min(Math.max(wanted, repeats + 1), 8 * repeats);
            repeats = Input.roundUp(repeats, unit);
            ticks = least(call, repeats);
        }
        long count = samples;
        if (budget != 0) {
            count = Math.max(Math.min(samples, budget * 1000 / ticks), 3);
            count -= 1 - count % 2;
        }
        long[] taken = new long[(int) count];
        Canary.Reading before = canary.read();
        long turns = Canary.turns();
        for (int i = 0; i < taken.length; i++) {
            taken[i] = time(call, repeats);
        }
        long switches = turns < 0 ? -1 : Canary.turns() - turns;
        return new Series(repeats, taken, before, canary.read(), switches);
    }

    /** The least of three, of long work one: an interruption must not pass for work. */
    private long least(Call call, long repeats) {
        long least = time(call, repeats);
        for (int i = 0; i < 2 && least < 1000 * SAMPLE; i++) {
            least = Math.min(least, time(call, repeats));
        }
        return least;
    }

    private long time(Call call, long repeats) {
        long start = System.nanoTime();
        for (long i = 0; i < repeats; i++) {
            call.run();
        }
        return Math.max(System.nanoTime() - start - overhead, 1);
    }
}
