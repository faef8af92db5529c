import java.util.ArrayList;
import java.util.List;
import org.cipherlane.CipherlaneProvider;

/** All that the engine java offers: the provider of this project, through the JCA. */
final class Catalogue {
    static final String ENGINE = "java";
    static final List<Operation> OPERATIONS = new ArrayList<>();
    static final List<String> KNOWN_WRONG = List.of();

    private static final List<String> MODES = List.of("init", "stream", "packet", "message");
    private static final List<String> PACKETS = List.of("init", "packet", "message");

    static {
        // Messages of the ring come again under their nonces.
        System.setProperty("org.cipherlane.allowNonceReuse", "true");
        blocks("sm4", "SM4", 16, 16);
        blocks("aes-128", "AES", 16, 16);
        blocks("aes-192", "AES", 24, 16);
        blocks("aes-256", "AES", 32, 16);
        blocks("idea", "IDEA", 16, 8);
        stream("zuc-128", "keystream", "ZUC-128", 16, 16);
        stream("zuc-128", "eea3", "EEA3", 16, 16);
        stream("zuc-256", "keystream", "ZUC-256", 32, 23);
        stream("zuc-256-2023", "nea6", "NEA6", 32, 16);
        stream("hc-128", "keystream", "HC128", 16, 16);
        stream("salsa20-20", "keystream", "Salsa20", 32, 8);
        stream("rc4", "keystream", "ARC4", 16, 0);
        mac("zuc-128", "eia3", "ZUC-128", 16, 16, 4);
        for (int bits : new int[] {32, 64, 128}) {
            mac("zuc-256", "mac" + bits, "ZUC-256-" + bits, 32, 23, bits / 8);
        }
        mac("zuc-256-2023", "nia6", "NIA6", 32, 16, 16);
        seal("zuc-128", "gxm", "ZUC-128/GXM/NoPadding", 16, 16);
        seal("zuc-128", "mur", "ZUC-128/MUR/NoPadding", 16, 16);
    }

    private Catalogue() {}

    static String version() {
        return new CipherlaneProvider().getVersionStr() + " at " + CipherlaneProvider.level();
    }

    private static void blocks(String algorithm, String name, int key, int block) {
        for (boolean encrypt : new boolean[] {true, false}) {
            String suffix = encrypt ? "-encrypt" : "-decrypt";
            cipher(algorithm, "ecb" + suffix, name + "/ECB/NoPadding", encrypt, key, 0, block);
            cipher(algorithm, "cbc" + suffix, name + "/CBC/NoPadding", encrypt, key, block, block);
            cipher(algorithm, "cfb" + suffix, name + "/CFB/NoPadding", encrypt, key, block, 1);
        }
        cipher(algorithm, "ctr", name + "/CTR/NoPadding", true, key, block, 1);
        cipher(algorithm, "ofb", name + "/OFB/NoPadding", true, key, block, 1);
        mac(algorithm, "cmac", name + "-CMAC", key, 0, block);
        if (block == 16) {
            seal(algorithm, "gcm", name + "/GCM/NoPadding", key, 12);
            seal(algorithm, "ccm", name + "/CCM/NoPadding", key, 12);
        }
    }

    private static void cipher(String algorithm, String operation, String name, boolean encrypt,
            int key, int iv, int granule) {
        OPERATIONS.add(new Operation(algorithm, operation, List.of("-"), MODES, key, iv, granule, 0,
                level -> new Sessions.Pieces(name, encrypt)));
    }

    private static void stream(String algorithm, String operation, String name, int key, int iv) {
        OPERATIONS.add(new Operation(algorithm, operation, List.of("-"), PACKETS, key, iv, 1, 0,
                level -> new Sessions.Pieces(name, true)));
    }

    private static void mac(String algorithm, String operation, String name, int key, int iv,
            int tag) {
        OPERATIONS.add(new Operation(algorithm, operation, List.of("-"), PACKETS, key, iv, 1, tag,
                level -> new Sessions.Tag(name)));
    }

    private static void seal(String algorithm, String mode, String name, int key, int nonce) {
        OPERATIONS.add(new Operation(algorithm, mode + "-seal", List.of("-"), PACKETS, key, nonce,
                1, 16, level -> new Sessions.Sealing(name)));
    }
}
