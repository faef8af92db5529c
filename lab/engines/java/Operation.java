import java.util.List;
import java.util.function.Function;

/** An operation of the library, by the registry's names. */
record Operation(
        String algorithm,
        String name,
        List<String> levels,
        List<String> models,
        int keyBytes,
        int nonceBytes,
        int granule,
        int tagBytes,
        Function<String, Session> open) {

    /** One call of the library on one message. */
    interface Work {
        void on(Message message);
    }

    /** Whether all that comes out is a tag. */
    boolean isMac() {
        return tagBytes > 0 && !isSeal();
    }

    /** Whether the tag stands behind the ciphertext. */
    boolean isSeal() {
        return name.endsWith("-seal");
    }

    String offer() {
        // Whatever is measured one by one is measured in batches, too.
        String all = String.join(",", models) + ",batch";
        return algorithm + "/" + name + ":" + String.join(",", levels) + ":" + all + ":" + keyBytes
                + ":" + nonceBytes + ":" + granule + ":" + tagBytes;
    }

    /** The work of a level in a model, under the keys of the ring. */
    Work prepare(String level, String model, byte[][] keys, byte[][] ivs) {
        switch (model) {
            case "init", "packet" -> {
                Session session = open.apply(level);
                return message -> {
                    session.start(message.key, message.iv);
                    session.process(message);
                };
            }
            case "key" -> {
                Session session = open.apply(level);
                return message -> session.start(message.key, null);
            }
            case "stream" -> {
                Session session = open.apply(level);
                session.start(keys[0], ivs[0]);
                return session::process;
            }
            default -> {
                Session[] ready = new Session[keys.length];
                for (int slot = 0; slot < ready.length; slot++) {
                    ready[slot] = open.apply(level);
                    ready[slot].start(keys[slot], ivs[slot]);
                }
                boolean restarts = ready[0].restarts();
                return message -> {
                    Session session = ready[message.slot];
                    if (message.iv.length > 0) {
                        session.start(null, message.iv);
                    } else if (restarts) {
                        session.start(message.key, null);
                    }
                    session.process(message);
                };
            }
        }
    }
}
