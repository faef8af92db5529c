import io.trino.Session;
import io.trino.server.PluginManager;
import io.trino.spi.Plugin;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedRow;
import io.trino.testing.TestingSession;
import java.io.PrintStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * Queries on a Trino of this process, with the functions of the jar as a plugin, which its own class
 * loader for plugins loads. What they encrypt is read by Bouncy Castle.
 *
 * <p>Arguments: an empty folder, and the jar, which is not on the class path.
 */
public final class TrinoQueries {
    /** Trino makes lines of its log of what comes later. */
    private static final PrintStream OUT = System.out;
    private static final String DIGITS = "8f1c3a5577d9e2b4460ca1f39d2e7b58";
    private static final int ROWS = 20_000;
    /** Rows of a query that is timed. */
    private static final int MANY = 2_000_000;
    private static final int PASSES = 3;
    private static final String SOURCE = " FROM (SELECT a * 1000 + b AS id, "
            + "lpad(cast(a * 1000 + b AS varchar), 61, 'x') || '密' AS name "
            + "FROM UNNEST(sequence(0, %d)) AS t(a) CROSS JOIN UNNEST(sequence(0, 999)) AS u(b))";

    private final DistributedQueryRunner runner;
    private final Path folder;
    private final String key;
    private final String doris;
    private final String gauss;
    private int held;

    private TrinoQueries(DistributedQueryRunner runner, Path folder) throws Exception {
        this.runner = runner;
        this.folder = folder;
        key = keep("key", DIGITS);
        doris = keep("doris", "F3229A0B371ED2D9441B830D21A390C3");
        gauss = keep("gauss", "Asdf1234");
    }

    public static void main(String[] arguments) {
        int status = 1;
        try {
            run(Path.of(arguments[0]), Path.of(arguments[1]));
            status = 0;
        } catch (Throwable error) {
            error.printStackTrace();
        }
        // Trino's threads would keep the process.
        System.exit(status);
    }

    private static void run(Path folder, Path jar) throws Exception {
        Session session = TestingSession.testSessionBuilder().build();
        try (DistributedQueryRunner runner = DistributedQueryRunner.builder(session).build()) {
            // As the server does for a folder under `plugin`.
            List<URL> urls = List.of(jar.toUri().toURL());
            ClassLoader loader = PluginManager.createClassLoader("cipherlane", urls);
            int found = 0;
            for (Plugin plugin : ServiceLoader.load(Plugin.class, loader)) {
                if (plugin.getClass().getClassLoader() != loader) {
                    throw new AssertionError("the plugin is not of its own class loader");
                }
                runner.installPlugin(plugin);
                found++;
            }
            TrinoQueries queries = new TrinoQueries(runner, folder);
            queries.holds(found == 1, found + " plugins in the jar");
            queries.rows();
            queries.roundTrips();
            queries.dialects();
            queries.nulls();
            queries.faults();
            queries.rates();
            OUT.printf("all %d checks hold%n", queries.held);
        }
    }

    private String keep(String name, String text) throws Exception {
        return "'file:" + Files.writeString(folder.resolve(name), text) + "'";
    }

    private void holds(boolean what, String name) {
        if (!what) {
            throw new AssertionError(name);
        }
        held++;
    }

    private List<MaterializedRow> all(String query) {
        return runner.execute(query).getMaterializedRows();
    }

    private Object one(String expression) {
        return all("SELECT " + expression).get(0).getField(0);
    }

    private static String source(int rows) {
        return String.format(SOURCE, rows / 1000 - 1);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Each row has its own IV, and Bouncy Castle reads all. */
    private void rows() throws Exception {
        Cipher cipher = Cipher.getInstance("SM4/GCM/NoPadding", new BouncyCastleProvider());
        SecretKeySpec theirs = new SecretKeySpec(HexFormat.of().parseHex(DIGITS), "SM4");
        Set<String> ivs = new HashSet<>();
        List<MaterializedRow> rows =
                all("SELECT id, sm4_encrypt(name, " + key + ")" + source(ROWS));
        for (MaterializedRow row : rows) {
            byte[] sealed = (byte[]) row.getField(1);
            cipher.init(Cipher.DECRYPT_MODE, theirs, new GCMParameterSpec(128, sealed, 0, 12));
            String text = new String(cipher.doFinal(sealed, 12, sealed.length - 12),
                    StandardCharsets.UTF_8);
            String digits = row.getField(0).toString();
            String name = "x".repeat(61 - digits.length()) + digits + "密";
            if (!text.equals(name)) {
                throw new AssertionError("row " + digits + " is `" + text + "`");
            }
            ivs.add(HexFormat.of().formatHex(sealed, 0, 12));
        }
        holds(rows.size() == ROWS, rows.size() + " rows by Bouncy Castle");
        holds(ivs.size() == ROWS, ivs.size() + " IVs");
    }

    private void roundTrips() {
        for (String mode : new String[] {"", ", 'GCM'", ", 'CBC'", ", 'ECB'"}) {
            for (String value : new String[] {"name", "to_utf8(name)"}) {
                holds(count("sm4_decrypt(sm4_encrypt(" + value + ", " + key + mode + "), " + key
                        + mode + ") = to_utf8(name)") == ROWS, value + mode);
            }
        }
        holds(count("from_utf8(dialect_decrypt('opengauss-sm4', dialect_encrypt('opengauss-sm4', "
                + "name, " + gauss + ", 'weak=true'), " + gauss + ")) = name") == ROWS,
                "openGauss's values");
        holds(count("try_sm4_decrypt(sm4_encrypt(name, " + key + "), " + key + ") IS NOT NULL")
                == ROWS, "values that open");
        // Bytes from elsewhere: none is a value.
        holds(count("try_sm4_decrypt(to_utf8(name), " + key + ") IS NULL") == ROWS,
                "values that do not open");
        // Trino's own TRY knows what is an argument's fault.
        holds(count("TRY(sm4_decrypt(to_utf8(name), " + key + ")) IS NULL") == ROWS,
                "values that do not open, by TRY");
    }

    private long count(String condition) {
        return (long) all("SELECT count_if(" + condition + ")" + source(ROWS)).get(0).getField(0);
    }

    /** A value that Doris's manual prints, as text and as bytes. */
    private void dialects() {
        String stored = "'1Y4NGIukSbv9OrkZnRD1bQ=='";
        String options = ", 'mode=SM4_128_CBC;iv=0123456789;coding=base64";
        for (String value : new String[] {stored, "to_utf8(" + stored + ")"}) {
            for (String name : new String[] {"dialect_decrypt", "try_dialect_decrypt"}) {
                Object plain = one(name + "('doris-sm4', " + value + ", " + doris + options + "')");
                holds(Arrays.equals(utf8("text"), (byte[]) plain), name + " of Doris's value");
            }
        }
        Object anew = one("dialect_encrypt('doris-sm4', 'text', " + doris + options
                + ";weak=true')");
        holds(Arrays.equals(utf8("1Y4NGIukSbv9OrkZnRD1bQ=="), (byte[]) anew), "the value anew");
        holds(one("try_dialect_decrypt('doris-sm4', 'no Base64', " + doris + options + "')") == null,
                "no value of Doris");
    }

    private void nulls() {
        holds(one("sm4_encrypt(CAST(NULL AS varchar), " + key + ")") == null, "NULL of text");
        holds(one("sm4_decrypt(CAST(NULL AS varbinary), " + key + ")") == null, "NULL of bytes");
        holds(one("dialect_decrypt('doris-sm4', CAST(NULL AS varchar), " + doris + ")") == null,
                "NULL of a dialect");
    }

    /** Faults end the query, say why, and tell no key. */
    private void faults() throws Exception {
        String other = keep("other", "00112233445566778899aabbccddeeff");
        fails("SELECT sm4_decrypt(sm4_encrypt(name, " + key + "), " + other + ")" + source(1000),
                "");
        fails("SELECT sm4_encrypt(name, '" + DIGITS + "')" + source(1000), "never as itself");
        fails("SELECT sm4_encrypt(name, 'file:/nowhere/key')" + source(1000), "/nowhere/key");
        fails("SELECT dialect_encrypt('doris-sm4', name, " + doris + ")" + source(1000),
                "weak(true)");
        fails("SELECT dialect_decrypt('doris-sm4x', name, " + doris + ")" + source(1000),
                "doris-sm4x");
    }

    private void fails(String query, String why) {
        try {
            all(query);
        } catch (RuntimeException error) {
            boolean told = false;
            for (Throwable it = error; it != null; it = it.getCause()) {
                String text = String.valueOf(it.getMessage());
                told |= text.contains(why);
                holds(!text.contains(DIGITS) && !text.contains("00112233445566"),
                        "a message tells a key");
            }
            holds(told, query + " fails by " + error);
            return;
        }
        throw new AssertionError(query + " does not fail");
    }

    private void rates() {
        String[][] queries = {{"rows alone", "to_utf8(name)"},
            {"sm4_encrypt", "sm4_encrypt(name, " + key + ")"},
            {"both ways", "sm4_decrypt(sm4_encrypt(name, " + key + "), " + key + ")"}};
        for (String[] query : queries) {
            double best = 0;
            for (int pass = 0; pass < PASSES; pass++) {
                long start = System.nanoTime();
                Object sum = all("SELECT sum(length(" + query[1] + "))" + source(MANY)).get(0)
                        .getField(0);
                best = Math.max(best, MANY * 1e9 / (System.nanoTime() - start));
                holds(((Long) sum) >= 64L * MANY, query[0]);
            }
            OUT.printf("%s: %,.0f rows a second%n", query[0], best);
        }
    }
}
