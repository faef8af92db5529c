import java.util.Arrays;
import java.util.HexFormat;

/** Holds every rung against published vectors; ends with an error if one gives another result. */
public final class Vectors {
    /** A key, a message whose first block CBC leaves as it is, and what becomes of it. */
    private record Vector(String algorithm, String key, String plain, String cipher) {}

    private static final Vector[] VECTORS = {
        // RFC 2268 §5.
        new Vector("rc2", "88bca90e90875a7f0f79c384627bafb2", "0000000000000000",
                "2269552ab0f85ca6"),
        // Rivest, The RC5 encryption algorithm: the first and second example.
        new Vector("rc5", "00000000000000000000000000000000", "0000000000000000",
                "21a5dbee154b8f6d"),
        new Vector("rc5", "915f4619be41b2516355a50110a9ce91", "21a5dbee154b8f6d",
                "f7c013ac5b2b8952"),
        // Lai's thesis; and one of NESSIE's with words that are 0.
        new Vector("idea", "00010002000300040005000600070008", "0000000100020003",
                "11fbed2b01986de5"),
        new Vector("idea", "80000000000000000000000000000000", "0000000000000000",
                "b1f5f7f87901370f"),
        // RFC 6229.
        new Vector("rc4", "0102030405060708090a0b0c0d0e0f10",
                "00000000000000000000000000000000000000000000000000000000000000",
                "9ac7cc9a609d1ef7b2932899cde41b975248c4959014126a6e8a84f11d1a9e"),
    };

    private Vectors() {}

    public static void main(String[] arguments) {
        var hex = HexFormat.of();
        int held = 0;
        for (Operation operation : Catalogue.OPERATIONS) {
            for (String level : operation.levels()) {
                for (Vector vector : VECTORS) {
                    if (!vector.algorithm.equals(operation.algorithm())) {
                        continue;
                    }
                    var message = new Message();
                    message.input = hex.parseHex(vector.plain);
                    message.output = new byte[message.input.length];
                    Session session = operation.open().apply(level);
                    session.start(hex.parseHex(vector.key), null);
                    session.process(message);
                    if (!Arrays.equals(message.output, hex.parseHex(vector.cipher))) {
                        System.err.println(operation.algorithm() + " at " + level + " gives "
                                + hex.formatHex(message.output) + ", not " + vector.cipher);
                        System.exit(1);
                    }
                    held++;
                }
            }
        }
        System.out.println(held + " results are those of the vectors");
    }
}
