import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.util.encoders.Hex;

/**
 * Jobs of SQL on a Flink of this process, with the functions of the jar: what they write is read by
 * Bouncy Castle and by another job, and how many rows a second they do is said.
 *
 * <p>Arguments: an empty folder, and rows to time. Of Java 8, which Flink 1.20 still runs on.
 */
public final class TableJobs {
    private static final String DIGITS = "8f1c3a5577d9e2b4460ca1f39d2e7b58";
    private static final int ROWS = 50_000;
    private static final int PASSES = 3;

    private final TableEnvironment tables;
    private final Path folder;
    private final String key;
    private final String doris;
    private final String gauss;
    private int held;

    private TableJobs(Path folder) throws IOException {
        this.folder = folder;
        key = "'file:" + keep("key", DIGITS) + "'";
        doris = "'file:" + keep("doris", "F3229A0B371ED2D9441B830D21A390C3") + "'";
        gauss = "'file:" + keep("gauss", "Asdf1234") + "'";
        tables = TableEnvironment.create(
                EnvironmentSettings.newInstance().inBatchMode().build());
        tables.getConfig().set("parallelism.default", "2");
        tables.getConfig().set("table.exec.resource.default-parallelism", "2");
        for (String name : new String[] {"Sm4Encrypt", "Sm4Decrypt", "DialectEncrypt",
            "DialectDecrypt"}) {
            String sql = name.replaceAll("(.)([A-Z])", "$1_$2").toLowerCase();
            tables.executeSql("CREATE TEMPORARY SYSTEM FUNCTION " + sql
                    + " AS 'org.cipherlane.flink." + name + "'");
        }
        tables.executeSql(
                "CREATE TEMPORARY SYSTEM FUNCTION bc_encrypt AS 'BouncyCastleEncrypt'");
    }

    public static void main(String[] arguments) {
        int status = 1;
        try {
            TableJobs jobs = new TableJobs(Paths.get(arguments[0]));
            jobs.files();
            jobs.dialects();
            jobs.nulls();
            jobs.eachRowItsOwn();
            jobs.faults();
            jobs.rates(Integer.parseInt(arguments[1]));
            System.out.printf("all %d checks hold%n", jobs.held);
            status = 0;
        } catch (Throwable error) {
            error.printStackTrace();
        }
        // Threads of the cluster would keep the process.
        System.exit(status);
    }

    private Path keep(String name, String text) throws IOException {
        return Files.write(folder.resolve(name), text.getBytes(StandardCharsets.US_ASCII));
    }

    private void holds(boolean what, String name) {
        if (!what) {
            throw new AssertionError(name);
        }
        held++;
    }

    private List<Row> rows(String query) throws Exception {
        List<Row> rows = new java.util.ArrayList<>();
        try (CloseableIterator<Row> found = tables.executeSql(query).collect()) {
            found.forEachRemaining(rows::add);
        }
        return rows;
    }

    private Row row(String query) throws Exception {
        List<Row> rows = rows(query);
        holds(rows.size() == 1, "one row of " + query);
        return rows.get(0);
    }

    /** Numbers from 1, in a view of texts with characters of more than one byte. */
    private void source(String name, int count) {
        tables.executeSql("CREATE TEMPORARY TABLE " + name + "_numbers (id BIGINT) WITH ("
                + "'connector'='datagen', 'number-of-rows'='" + count + "', "
                // It holds back at 10 000 otherwise.
                + "'rows-per-second'='1000000000', "
                + "'fields.id.kind'='sequence', 'fields.id.start'='1', 'fields.id.end'='" + count
                + "')");
        tables.executeSql("CREATE TEMPORARY VIEW " + name + " AS SELECT id, "
                + "CONCAT(LPAD(CAST(id AS STRING), 61, 'x'), '密') AS name FROM " + name
                + "_numbers");
    }

    private static String name(long id) {
        StringBuilder text = new StringBuilder();
        for (int i = Long.toString(id).length(); i < 61; i++) {
            text.append('x');
        }
        return text.append(id).append('密').toString();
    }

    /** One job writes files, Bouncy Castle reads them, and so does another job. */
    private void files() throws Exception {
        source("people", ROWS);
        tables.executeSql("CREATE TEMPORARY TABLE stored (id BIGINT, sealed BYTES, dialect BYTES) "
                + "WITH ('connector'='filesystem', 'format'='csv', 'path'='"
                + folder.resolve("stored").toUri() + "')");
        tables.executeSql("INSERT INTO stored SELECT id, sm4_encrypt(name, " + key + "), "
                + "dialect_encrypt('opengauss-sm4', name, " + gauss
                + ", 'key-form=text;weak=true') FROM people").await();
        Cipher cipher = Cipher.getInstance("SM4/GCM/NoPadding", new BouncyCastleProvider());
        SecretKeySpec theirs = new SecretKeySpec(Hex.decode(DIGITS), "SM4");
        Set<String> ivs = new HashSet<>();
        int count = 0;
        for (Path file : written()) {
            for (String line : Files.readAllLines(file)) {
                String[] cells = line.split(",");
                byte[] sealed = Base64.getDecoder().decode(cells[1].replace("\"", ""));
                cipher.init(Cipher.DECRYPT_MODE, theirs,
                        new GCMParameterSpec(128, sealed, 0, 12));
                String text = new String(cipher.doFinal(sealed, 12, sealed.length - 12),
                        StandardCharsets.UTF_8);
                if (!text.equals(name(Long.parseLong(cells[0])))) {
                    throw new AssertionError("row " + cells[0] + " is `" + text + "`");
                }
                ivs.add(Base64.getEncoder().encodeToString(Arrays.copyOf(sealed, 12)));
                count++;
            }
        }
        holds(count == ROWS, count + " rows by Bouncy Castle");
        holds(ivs.size() == ROWS, ivs.size() + " IVs");
        Row read = row("SELECT COUNT(*), SUM(CASE WHEN CAST(sm4_decrypt(sealed, " + key
                + ") AS STRING) = name THEN 1 ELSE 0 END), SUM(CASE WHEN "
                + "CAST(dialect_decrypt('opengauss-sm4', dialect, " + gauss
                + ", 'key-form=text') AS STRING) = name THEN 1 ELSE 0 END) "
                + "FROM stored JOIN people ON stored.id = people.id");
        for (int i = 0; i < 3; i++) {
            holds(((Number) read.getField(i)).intValue() == ROWS, "column " + i + " of " + read);
        }
    }

    private List<Path> written() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("stored"))) {
            return all.filter(Files::isRegularFile).collect(Collectors.toList());
        }
    }

    /** A value that Doris's manual prints. */
    private void dialects() throws Exception {
        String options = "'mode=SM4_128_CBC;iv=0123456789;coding=base64'";
        Row read = row("SELECT CAST(dialect_decrypt('doris-sm4', v, " + doris + ", " + options
                + ") AS STRING), CAST(dialect_encrypt('doris-sm4', 'text', " + doris + ", "
                + options.replace("64'", "64;weak=true'") + ") AS STRING) "
                + "FROM (VALUES ('1Y4NGIukSbv9OrkZnRD1bQ==')) AS t(v)");
        holds("text".equals(read.getField(0)), "Doris's value is " + read.getField(0));
        holds("1Y4NGIukSbv9OrkZnRD1bQ==".equals(read.getField(1)), "Doris's value anew");
    }

    private void nulls() throws Exception {
        Row read = row("SELECT sm4_encrypt(v, " + key + "), sm4_decrypt(CAST(v AS BYTES), " + key
                + "), dialect_decrypt('doris-sm4', v, " + doris + ") "
                + "FROM (VALUES (CAST(NULL AS STRING))) AS t(v)");
        for (int i = 0; i < 3; i++) {
            holds(read.getField(i) == null, "NULL stays NULL in column " + i);
        }
    }

    /** The planner must not make one value of a function that draws an IV. */
    private void eachRowItsOwn() throws Exception {
        Row read = row("SELECT COUNT(DISTINCT sm4_encrypt('the same', " + key + ")) FROM people");
        holds(((Number) read.getField(0)).intValue() == ROWS, "each row has its own IV");
    }

    /** A value of another key, and a key that is given as itself, end the job without telling it. */
    private void faults() throws Exception {
        String other = "'file:" + keep("other", "00112233445566778899aabbccddeeff") + "'";
        fails("SELECT sm4_decrypt(sealed, " + other + ") FROM stored", "");
        fails("SELECT sm4_encrypt(name, '" + DIGITS + "') FROM people", "never as itself");
        fails("SELECT dialect_encrypt('doris-sm4', name, " + doris + ") FROM people",
                "weak(true)");
        fails("SELECT dialect_decrypt('doris-sm4x', name, " + doris + ") FROM people",
                "doris-sm4");
    }

    private void fails(String query, String why) throws Exception {
        try {
            rows(query);
        } catch (Exception error) {
            boolean told = false;
            for (Throwable it = error; it != null; it = it.getCause()) {
                String text = String.valueOf(it.getMessage());
                told |= it instanceof IllegalArgumentException && text.contains(why)
                        || text.contains("IllegalArgumentException") && text.contains(why);
            }
            holds(told, query + " fails by " + error);
            return;
        }
        throw new AssertionError(query + " does not fail");
    }

    private void rates(int count) throws Exception {
        source("many", count);
        tables.executeSql("CREATE TEMPORARY TABLE nowhere (v BYTES) WITH ("
                + "'connector'='blackhole')");
        String[][] jobs = {{"rows alone", "CAST(name AS BYTES)"},
            {"sm4_encrypt", "sm4_encrypt(name, " + key + ")"},
            {"Bouncy Castle", "bc_encrypt(name, " + key + ")"}};
        for (String[] job : jobs) {
            double best = 0;
            for (int pass = 0; pass < PASSES; pass++) {
                long start = System.nanoTime();
                tables.executeSql("INSERT INTO nowhere SELECT " + job[1] + " FROM many").await();
                best = Math.max(best, count * 1e9 / (System.nanoTime() - start));
            }
            System.out.printf("%s: %,.0f rows a second%n", job[0], best);
        }
    }
}
