package org.cipherlane.sequences;

import static org.junit.jupiter.api.Assertions.fail;

import java.security.Provider;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Random sequences of calls, on this provider and on those that it stands in for: both give the
 * same bytes or throw exceptions of one class. About twenty seconds;
 * {@code -Dorg.cipherlane.sequences=SECONDS} takes as long as it says, and
 * {@code -Dorg.cipherlane.seed=NUMBER} plays the sequences of an earlier run again.
 */
class SequencesTest {
    private static final double SECONDS =
            Double.parseDouble(System.getProperty("org.cipherlane.sequences", "20"));
    private static final long SEED = Long.getLong("org.cipherlane.seed", System.nanoTime());
    /** So many at least, however slow the machine is. */
    private static final int LEAST = 300;

    private static final Map<String, Integer> ALLOWED = new TreeMap<>();
    private static long sequences;
    private static long calls;

    /** How a side is made. */
    private interface Make {
        Side side(String name, Provider provider) throws Exception;
    }

    /** How a script is made. */
    private interface Write {
        List<Step> script(Subject subject, long seed);
    }

    @TestFactory
    Stream<DynamicTest> ciphers() {
        return Subject.ciphers().stream().map(it -> DynamicTest.dynamicTest(it.toString(),
                () -> compare(it, Player::new, Script::ofCipher)));
    }

    @TestFactory
    Stream<DynamicTest> macs() {
        return Subject.macs().stream().map(it -> DynamicTest.dynamicTest("Mac " + it,
                () -> compare(it, MacPlayer::new, Script::ofMac)));
    }

    private static void compare(Subject subject, Make make, Write write) throws Exception {
        double own = SECONDS / (Subject.ciphers().size() + Subject.macs().size());
        long end = System.nanoTime() + (long) (own * 1e9);
        for (long number = 0; number < LEAST || System.nanoTime() < end; number++) {
            List<Step> steps = write.script(subject, SEED + number);
            Side ours = make.side(subject.name(), Subject.OURS);
            Side theirs = make.side(subject.name(), subject.peer());
            sequences++;
            boolean failed = false;
            for (int i = 0; i < steps.size(); i++) {
                Step step = steps.get(i);
                // After a call that failed an object is in no state that the JCA tells.
                failed = failed && !step.begins();
                if (failed) {
                    continue;
                }
                String our = ours.play(step);
                String their = theirs.play(step);
                calls++;
                if (step.ends() && our.equals(their) && our.endsWith(".ShortBufferException")) {
                    // The call can be repeated with more room, says the JCA.
                    our = ours.play(step.again());
                    their = theirs.play(step.again());
                }
                if (our.equals(their)) {
                    failed = our.endsWith("Exception")
                            && !our.endsWith(".ShortBufferException");
                    continue;
                }
                Allowed allowed = Allowed.find(subject, step, our, their);
                if (allowed == null) {
                    fail(subject + ", seed " + (SEED + number) + "\n" + steps.subList(0, i + 1)
                            + "\nours:   " + our + "\ntheirs: " + their);
                }
                ALLOWED.merge(allowed.reason(), 1, Integer::sum);
                break;
            }
        }
    }

    @AfterAll
    static void told() {
        System.out.println("sequences: seed " + SEED + ", " + sequences + " sequences, " + calls
                + " calls on each side; ended by a difference that is meant:");
        ALLOWED.forEach((reason, count) -> System.out.println("  " + count + " × " + reason));
    }
}
