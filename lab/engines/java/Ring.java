import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** Keys, IVs and messages of a task. */
final class Ring {
    final byte[][] keys;
    final byte[][] ivs;
    final byte[][] aads;
    final Message[] messages;
    private final boolean isMac;

    private Ring(Operation operation, Task task, int slots, int count) {
        long seed = task.seed();
        keys = new byte[slots][];
        ivs = new byte[slots][];
        aads = new byte[slots][];
        for (int slot = 0; slot < slots; slot++) {
            keys[slot] = Input.bytes(seed, Input.KEY, slot, operation.keyBytes());
            ivs[slot] = Input.bytes(seed, Input.IV, slot, operation.nonceBytes());
            aads[slot] = Input.bytes(seed, Input.AAD, slot, (int) task.aadBytes());
        }
        messages = new Message[count];
        isMac = operation.isMac();
    }

    private void put(int i, Operation operation, long seed, int length, boolean inPlace) {
        var message = new Message();
        message.slot = i;
        message.key = keys[i];
        message.iv = ivs[i];
        message.aad = aads[i];
        boolean seals = operation.isSeal();
        int room = seals ? operation.tagBytes() : 0;
        byte[] data = Input.bytes(seed, Input.DATA, i, length);
        message.length = length;
        message.input = inPlace ? Arrays.copyOf(data, length + room) : data;
        message.output = inPlace ? message.input : new byte[length + room];
        message.tag = new byte[seals ? 0 : operation.tagBytes()];
        messages[i] = message;
    }

    /** The messages of a task, of that size. */
    static Ring of(Operation operation, Task task, long size) {
        int count = Input.buffers(task, size);
        var ring = new Ring(operation, task, Math.max(Input.SLOTS, count), count);
        int[] lengths = Input.lengths(task, size, count);
        for (int i = 0; i < count; i++) {
            ring.put(i, operation, task.seed(), lengths[i], task.isInPlace());
        }
        return ring;
    }

    /** Random messages. */
    static Ring random(Operation operation, Task task, int count, long least, long granule) {
        var ring = new Ring(operation, task, count, count);
        for (int i = 0; i < count; i++) {
            byte[] words = Input.bytes(task.seed(), Input.DRAW, i, 24);
            long units = (task.size() - least) / granule + 1;
            long aad = Input.word(words, 1);
            aad = (aad & 3) == 0 ? 0 : Long.remainderUnsigned(aad >>> 2, task.aadBytes() + 1);
            ring.aads[i] = Arrays.copyOf(ring.aads[i], (int) aad);
            long length = least + granule * Long.remainderUnsigned(Input.word(words, 0), units);
            boolean even = (Input.word(words, 2) & 1) == 0;
            ring.put(i, operation, task.seed(), (int) length, even || operation.isMac());
        }
        return ring;
    }

    /** SHA-256 over all outputs in order, tags appended. */
    String digest() {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (Message message : messages) {
                if (!isMac) {
                    digest.update(message.output);
                }
                digest.update(message.tag);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A call on the next message, or the next batch of a task. */
    Sampler.Call walk(Task task, Operation.Work work) {
        int[] next = {0, 0};
        if (task.model().equals("batch")) {
            int each = (int) task.messages();
            return () -> {
                for (int i = next[0]; i < next[0] + each; i++) {
                    work.on(messages[i]);
                }
                next[0] = next[0] + each == messages.length ? 0 : next[0] + each;
            };
        }
        boolean onTheSpot = task.model().equals("latency");
        return () -> {
            Message message = messages[next[1]];
            message.slot = next[0];
            message.key = keys[next[0]];
            message.iv = ivs[next[0]];
            message.aad = aads[next[0]];
            work.on(message);
            if (!onTheSpot) {
                next[0] = (next[0] + 1) % Input.SLOTS;
                next[1] = next[1] + 1 == messages.length ? 0 : next[1] + 1;
            }
        };
    }
}
