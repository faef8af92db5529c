import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * An engine in Java, on the wall clock: what it offers is its class Catalogue.
 *
 * <p>It reads requests on its standard input and answers each with one line, by the protocol that
 * docs/METHOD.md of Cipherlane describes.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var output = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        var server = new Server();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            output.print(server.answer(line) + "\n");
            output.flush();
        }
    }
}
