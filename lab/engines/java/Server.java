import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Answers requests. */
final class Server {
    /** What the library can't do: the reason. */
    private static final class Refusal extends Exception {
        private static final long serialVersionUID = 1;

        Refusal(String reason) {
            super(reason);
        }
    }

    /** The length of the messages on which init and key are checked. */
    private static final long SETUP_CHECK_BYTES = 64;

    /** The most bytes that the messages of a random run may have together. */
    private static final long MAX_RANDOM_BYTES = 1 << 30;

    private final Map<Task, String> digests = new HashMap<>();
    private Sampler sampler;

    String answer(String text) {
        try {
            return perform(Line.read(text));
        } catch (Refusal refusal) {
            return "refused" + Line.field("reason", refusal.getMessage());
        } catch (IllegalStateException limit) {
            // The library keeps the limits of the specifications.
            return "refused" + Line.field("reason", Catalogue.ENGINE + ": " + limit.getMessage());
        } catch (Line.Wrong | RuntimeException | OutOfMemoryError error) {
            return "error" + Line.field("reason", String.valueOf(error.getMessage()));
        }
    }

    private String perform(Line line) throws Line.Wrong, Refusal {
        // Where the virtual machine puts an array is its own affair.
        if (!line.text("unaligned", "0").equals("0")) {
            throw new Refusal(Catalogue.ENGINE + " has no choice where buffers begin");
        }
        if (!line.text("cold", "false").equals("false")) {
            throw new Refusal(Catalogue.ENGINE + " is measured with warm caches only");
        }
        if (line.has("around_us")) {
            throw new Refusal(Catalogue.ENGINE + " is not measured beside others");
        }
        switch (line.word) {
            case "describe" -> {
                line.only(List.of());
                return describe();
            }
            case "check" -> {
                if (line.has("random")) {
                    return random(line);
                }
                line.only(Task.KEYS);
                return "ok" + Line.field("digest", check(Task.read(line)));
            }
            case "measure" -> {
                return measure(line);
            }
            default -> throw new Line.Wrong(
                    "unknown verb `" + line.word + "`; known: describe, check, measure");
        }
    }

    private static String describe() {
        var reply = new StringBuilder("ok")
                .append(Line.field("engine", Catalogue.ENGINE))
                .append(Line.field("version", Catalogue.version()))
                .append(Line.field("build", System.getProperty("java.vm.name") + " "
                        + System.getProperty("java.vm.version")))
                .append(Line.field("path", System.getProperty("java.class.path")));
        for (Operation operation : Catalogue.OPERATIONS) {
            reply.append(Line.field("offer", operation.offer()));
        }
        for (String wrong : Catalogue.KNOWN_WRONG) {
            reply.append(Line.field("known_wrong", wrong));
        }
        return reply.toString();
    }

    private static Operation find(String algorithm, String name) {
        for (Operation it : Catalogue.OPERATIONS) {
            if (it.algorithm().equals(algorithm) && it.name().equals(name)) {
                return it;
            }
        }
        return null;
    }

    /** The operation of a task, if it can be done. */
    private static Operation admit(Task task) throws Refusal {
        String name = task.algorithm() + "/" + task.operation();
        Operation it = find(task.algorithm(), task.operation());
        if (it == null) {
            throw new Refusal(Catalogue.ENGINE + " has no " + name);
        }
        String what = Catalogue.ENGINE + ": " + name;
        long granule = task.isMix() ? Input.mixGranule(task.size()) : task.callBytes();
        if (!it.levels().contains(task.level())) {
            throw new Refusal(what + " has no level `" + task.level() + "`; it has "
                    + String.join(", ", it.levels()));
        } else if (!it.models().contains(task.single())) {
            throw new Refusal(what + " can't be measured in model " + task.single());
        } else if (task.nonceBytes() != it.nonceBytes()) {
            throw new Refusal(what + " takes no IV of " + task.nonceBytes() + " bytes");
        } else if (granule % it.granule() != 0) {
            throw new Refusal(what + ": " + task.size() + " bytes are not whole blocks of "
                    + it.granule());
        } else if (task.messages() != 1 && !task.model().equals("batch")) {
            throw new Refusal("model " + task.model() + " has one message a call");
        } else if (task.threads() != 1) {
            throw new Refusal(what + " works on one thread, not " + task.threads());
        } else if (task.aadBytes() != 0 && !it.isSeal()) {
            throw new Refusal(what + " has no associated data");
        } else if (it.isMac() && !task.isInPlace()) {
            throw new Refusal(what + " is measured in-place, not " + task.placement());
        } else if (task.callBytes() > Integer.MAX_VALUE / 2) {
            throw new Refusal("not enough memory for " + task.callBytes() + " bytes");
        }
        return it;
    }

    private String check(Task task) throws Refusal {
        Operation operation = admit(task);
        String known = digests.get(task);
        if (known != null) {
            return known;
        }
        // Set-up leaves no output: what it set up is put to work.
        String model = switch (task.single()) {
            case "init" -> "packet";
            case "key" -> "message";
            default -> task.single();
        };
        long size = Task.isSetup(task.single()) ? SETUP_CHECK_BYTES : task.callBytes();
        Ring ring = Ring.of(operation, task, size);
        Operation.Work work = operation.prepare(task.level(), model, ring.keys, ring.ivs);
        for (Message message : ring.messages) {
            work.on(message);
        }
        digests.put(task, ring.digest());
        return digests.get(task);
    }

    private String random(Line line) throws Line.Wrong, Refusal {
        var known = new ArrayList<>(Task.KEYS);
        known.addAll(List.of("random", "least", "granule"));
        line.only(known);
        Task task = Task.read(line);
        int count = (int) line.number("random", 1, 1, 10_000);
        long least = line.number("least", 0, 0, task.size());
        long granule = line.number("granule", 1, 1, Integer.MAX_VALUE);
        Operation operation = admit(task);
        if (!List.of("packet", "message").contains(task.single())) {
            throw new Refusal("model " + task.model() + " has no random messages");
        } else if (granule % operation.granule() != 0 || least % operation.granule() != 0) {
            throw new Refusal("lengths of random messages must be whole blocks of "
                    + operation.granule());
        } else if (task.size() > MAX_RANDOM_BYTES / count) {
            throw new Refusal("random messages may have " + MAX_RANDOM_BYTES + " bytes together");
        }
        Ring ring = Ring.random(operation, task, count, least, granule);
        Operation.Work work = operation.prepare(task.level(), task.single(), ring.keys, ring.ivs);
        for (Message message : ring.messages) {
            work.on(message);
        }
        return "ok" + Line.field("digest", ring.digest());
    }

    private String measure(Line line) throws Line.Wrong, Refusal {
        var known = new ArrayList<>(Task.KEYS);
        known.addAll(List.of("samples", "budget_us"));
        line.only(known);
        Task task = Task.read(line);
        long samples = line.number("samples", 21, 3, 10_001);
        if (samples % 2 == 0) {
            throw new Line.Wrong("`samples` is `" + samples + "`; allowed: an odd number");
        }
        long budget = line.number("budget_us", 0, 0, Integer.MAX_VALUE);
        String digest = check(task);
        Operation operation = admit(task);
        Ring ring = Ring.of(operation, task, task.callBytes());
        Operation.Work work = operation.prepare(task.level(), task.single(), ring.keys, ring.ivs);
        if (sampler == null) {
            sampler = new Sampler();
        }
        // Of a mix every sample takes all batches equally often.
        long unit = task.isMix() ? ring.messages.length / task.messages() : 1;
        Sampler.Series series =
                sampler.take(task.code(), ring.walk(task, work), unit, samples, budget);
        String taken = Arrays.stream(series.samples()).mapToObj(Long::toString)
                .collect(Collectors.joining(","));
        Canary.Reading before = series.before();
        Canary.Reading after = series.after();
        String chain = before.chain() + "," + after.chain();
        return "ok" + Line.field("clock", "wall") + Line.field("digest", digest)
                + Line.field("repeats", series.repeats())
                + Line.field("call_bytes", task.callBytes())
                + (Canary.COMPILED ? Line.field("chain", chain) : "")
                + Line.field("load", before.load() + "," + after.load())
                + (series.switches() < 0 ? "" : Line.field("switches", series.switches()))
                + Line.field("samples", taken);
    }
}
