import java.util.List;

/** The work of a request: a cell with its seed and buffer. */
record Task(
        String algorithm,
        String operation,
        String model,
        String level,
        String keys,
        String mix,
        String placement,
        long size,
        long messages,
        long threads,
        long nonceBytes,
        long aadBytes,
        long seed,
        long buffer) {

    static final List<String> KEYS = List.of(
            "algorithm", "operation", "model", "level", "size", "messages", "keys", "mix",
            "threads", "placement", "unaligned", "cold", "nonce_bytes", "aad_bytes", "seed", "buffer");

    static Task read(Line line) throws Line.Wrong {
        String model = line.text("model", "");
        var task = new Task(
                line.text("algorithm", ""),
                line.text("operation", ""),
                model,
                line.text("level", "-"),
                line.text("keys", usualKeys(model)),
                line.text("mix", "equal"),
                line.text("placement", "in-place"),
                line.number("size", 0, 0, Long.MAX_VALUE),
                line.number("messages", 1, 1, 1 << 16),
                line.number("threads", 1, 1, Long.MAX_VALUE),
                line.number("nonce_bytes", 0, 0, 1 << 20),
                line.number("aad_bytes", 0, 0, 1 << 20),
                line.seed(),
                line.number("buffer", Long.MAX_VALUE, 4096, Long.MAX_VALUE));
        choice("model", model, "init", "key", "stream", "packet", "message", "batch", "latency");
        choice("keys", task.keys, "fresh", "ready");
        choice("mix", task.mix, "equal", "imix");
        choice("placement", task.placement, "in-place", "disjoint");
        if (!model.equals("batch") && !task.keys.equals(usualKeys(model))) {
            throw new Line.Wrong("`keys` is `" + task.keys + "`, which model " + model + " has not");
        }
        if ((task.size == 0) != isSetup(model)) {
            throw new Line.Wrong("`size` is `" + task.size + "`, which model " + model + " has not");
        }
        if (task.isMix() && (!model.equals("batch") || Input.mixGranule(task.size) == 0)) {
            throw new Line.Wrong("`mix` is `imix`; allowed in model batch with the mean as size");
        }
        return task;
    }

    private static void choice(String key, String value, String... allowed) throws Line.Wrong {
        if (!List.of(allowed).contains(value)) {
            String names = String.join(", ", allowed);
            throw new Line.Wrong("`" + key + "` is `" + value + "`; allowed: " + names);
        }
    }

    static boolean isSetup(String model) {
        return model.equals("init") || model.equals("key");
    }

    private static String usualKeys(String model) {
        return isSetup(model) || model.equals("packet") ? "fresh" : "ready";
    }

    boolean isMix() {
        return mix.equals("imix");
    }

    boolean isInPlace() {
        return placement.equals("in-place");
    }

    /** The length of one message, or of the buffer where that is shorter. */
    long callBytes() {
        return Math.min(size, buffer);
    }

    /** What the work runs through, whatever the length: a compiler's work is done once for it. */
    String code() {
        return String.join(" ", algorithm, operation, level, model, keys, mix, placement,
                messages == 1 ? "alone" : "many", aadBytes == 0 ? "" : "aad");
    }

    /** The model of one message of a batch. */
    String single() {
        if (!model.equals("batch")) {
            return model;
        }
        return keys.equals("fresh") ? "packet" : "message";
    }
}
