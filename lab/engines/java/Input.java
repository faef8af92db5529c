/** The one generator of keys, IVs and data, and the lengths of a mix: the same in every engine. */
final class Input {
    static final int KEY = 1;
    static final int IV = 2;
    static final int DATA = 3;
    static final int AAD = 4;
    static final int LENGTH = 5;
    static final int DRAW = 6;

    /** Keys and IVs of the ring, and the bytes that its buffers may fill together. */
    static final int SLOTS = 64;
    private static final long RING_BYTES = 1 << 20;

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    private static final long[] IMIX = {40, 40, 40, 40, 40, 40, 40, 576, 576, 576, 576, 1500};

    private Input() {}

    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    static byte[] bytes(long seed, long kind, long index, int length) {
        byte[] out = new byte[length];
        long state = mix(mix(seed + GOLDEN) + (kind << 32) + index);
        for (int place = 0; place < length; place += 8) {
            state += GOLDEN;
            long word = mix(state);
            word = word == 0 ? GOLDEN : word;
            for (int i = place; i < Math.min(place + 8, length); i++) {
                out[i] = (byte) (word >>> 8 * (i - place));
            }
        }
        return out;
    }

    /** The word at a place of such bytes, the lowest byte first. */
    static long word(byte[] bytes, int place) {
        long word = 0;
        for (int i = 7; i >= 0; i--) {
            word = word << 8 | bytes[8 * place + i] & 0xff;
        }
        return word;
    }

    static long roundUp(long value, long granule) {
        return (value + granule - 1) / granule * granule;
    }

    /** The block that lengths of the mix are rounded up to, told by their mean; 0 if none. */
    static long mixGranule(long size) {
        for (long granule : new long[] {1, 8, 16}) {
            long total = 0;
            for (long length : IMIX) {
                total += roundUp(length, granule);
            }
            if ((total + 6) / 12 == size) {
                return granule;
            }
        }
        return 0;
    }

    /** The lengths of so many messages of a task. */
    static int[] lengths(Task task, long size, int count) {
        int[] lengths = new int[count];
        if (!task.isMix()) {
            java.util.Arrays.fill(lengths, (int) size);
            return lengths;
        }
        long granule = mixGranule(task.size());
        for (int dozen = 0; dozen * IMIX.length < count; dozen++) {
            long[] twelve = IMIX.clone();
            byte[] words = bytes(task.seed(), LENGTH, dozen, 8 * (IMIX.length - 1));
            for (int place = IMIX.length - 1; place > 0; place--) {
                long word = word(words, IMIX.length - 1 - place);
                int other = (int) Long.remainderUnsigned(word, place + 1);
                long kept = twelve[place];
                twelve[place] = twelve[other];
                twelve[other] = kept;
            }
            for (int i = 0; i < IMIX.length && dozen * IMIX.length + i < count; i++) {
                lengths[dozen * IMIX.length + i] = (int) roundUp(twelve[i], granule);
            }
        }
        return lengths;
    }

    /** How many different messages of that length there are. */
    static int buffers(Task task, long size) {
        long bytes = Math.max(size, 1);
        if (!task.model().equals("batch")) {
            return (int) Math.min(Math.max(RING_BYTES / bytes, 1), SLOTS);
        }
        long least = task.messages();
        if (task.isMix()) {
            least *= 12 / gcd(12, task.messages());
        }
        long wanted = (SLOTS + least - 1) / least;
        if (!task.isMix()) {
            wanted = Math.max(Math.min(wanted, RING_BYTES / (bytes * least)), 1);
        }
        return (int) (least * wanted);
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
