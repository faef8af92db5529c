import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.StreamCipher;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.engines.Grain128AEADEngine;
import org.bouncycastle.crypto.engines.Grainv1Engine;
import org.bouncycastle.crypto.engines.HC128Engine;
import org.bouncycastle.crypto.engines.IDEAEngine;
import org.bouncycastle.crypto.engines.RC2Engine;
import org.bouncycastle.crypto.engines.RC4Engine;
import org.bouncycastle.crypto.engines.RC532Engine;
import org.bouncycastle.crypto.engines.SM4Engine;
import org.bouncycastle.crypto.engines.Salsa20Engine;
import org.bouncycastle.crypto.engines.Zuc128Engine;
import org.bouncycastle.crypto.engines.Zuc256Engine;
import org.bouncycastle.crypto.macs.CMac;
import org.bouncycastle.crypto.macs.Zuc128Mac;
import org.bouncycastle.crypto.macs.Zuc256Mac;
import org.bouncycastle.crypto.modes.AEADCipher;
import org.bouncycastle.crypto.modes.CBCBlockCipher;
import org.bouncycastle.crypto.modes.CCMBlockCipher;
import org.bouncycastle.crypto.modes.CFBBlockCipher;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.modes.OFBBlockCipher;
import org.bouncycastle.crypto.modes.SICBlockCipher;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.RC2Parameters;
import org.bouncycastle.crypto.params.RC5Parameters;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** The engine bouncycastle: ciphers of Bouncy Castle's lightweight interface. */
final class Catalogue {
    static final String ENGINE = "bouncycastle";

    static final List<Operation> OPERATIONS = new ArrayList<>();

    /** What the library computes wrongly, with the reason. */
    static final List<String> KNOWN_WRONG = List.of(
            "grain-128/keystream:Grain128Engine of Bouncy Castle 1.86 reads bit 94 of its state "
                    + "where the specification reads bit 95, and gives none of eSTREAM's vectors "
                    + "(https://github.com/bcgit/bc-java/commit/4f69832f40)");

    private static final List<String> STREAMS = List.of("init", "stream", "packet", "message");
    private static final List<String> MODES = List.of("init", "key", "stream", "packet", "message");
    private static final List<String> ECB =
            List.of("init", "key", "stream", "packet", "message", "latency");
    private static final List<String> MACS = List.of("init", "key", "packet", "message");
    private static final List<String> PACKETS = List.of("init", "packet", "message");

    static {
        Sessions.Keys plain = KeyParameter::new;
        blocks("sm4", 16, 16, SM4Engine::new, plain);
        blocks("aes-128", 16, 16, AESEngine::newInstance, plain);
        blocks("aes-192", 24, 16, AESEngine::newInstance, plain);
        blocks("aes-256", 32, 16, AESEngine::newInstance, plain);
        blocks("idea", 16, 8, IDEAEngine::new, plain);
        // As many effective key bits as the key has.
        blocks("rc2", 16, 8, RC2Engine::new, key -> new RC2Parameters(key, 8 * key.length));
        blocks("rc5", 16, 8, RC532Engine::new, key -> new RC5Parameters(key, 12));
        stream("rc4", 16, 0, RC4Engine::new);
        stream("hc-128", 16, 16, HC128Engine::new);
        stream("salsa20-8", 32, 8, () -> new Salsa20Engine(8));
        stream("salsa20-12", 32, 8, () -> new Salsa20Engine(12));
        stream("salsa20-20", 32, 8, () -> new Salsa20Engine(20));
        stream("grain-v1", 10, 8, Grainv1Engine::new);
        add("grain-128aead", "aead-seal", PACKETS, 16, 12, 1, 8,
                () -> new Sessions.Sealing(new Grain128AEADEngine(), 64, true));
        // Their engines stop at the limits of the specifications, so no stream goes on for long.
        add("zuc-128", "keystream", PACKETS, 16, 16, 1, 0,
                () -> new Sessions.Keystream(new Zuc128Engine(), iv -> iv));
        add("zuc-128", "eea3", PACKETS, 16, 16, 1, 0,
                () -> new Sessions.Keystream(new Zuc128Engine(), iv -> iv));
        add("zuc-256", "keystream", PACKETS, 32, 23, 1, 0,
                () -> new Sessions.Keystream(new Zuc256Engine(), Catalogue::unpacked));
        add("zuc-128", "eia3", PACKETS, 16, 16, 1, 4,
                () -> new Sessions.Tag(new Zuc128Mac(), plain, iv -> iv));
        for (int bits : new int[] {32, 64, 128}) {
            add("zuc-256", "mac" + bits, PACKETS, 32, 23, 1, bits / 8,
                    () -> new Sessions.Tag(new Zuc256Mac(bits), plain, Catalogue::unpacked));
        }
    }

    private Catalogue() {}

    static String version() {
        return new BouncyCastleProvider().getVersionStr();
    }

    private static void add(String algorithm, String name, List<String> models, int key, int nonce,
            int granule, int tag, Supplier<Session> open) {
        OPERATIONS.add(new Operation(algorithm, name, List.of("-"), models, key, nonce, granule, tag,
                level -> open.get()));
    }

    private static void blocks(String algorithm, int key, int block, Supplier<BlockCipher> cipher,
            Sessions.Keys keys) {
        for (boolean encrypt : new boolean[] {true, false}) {
            String suffix = encrypt ? "-encrypt" : "-decrypt";
            add(algorithm, "ecb" + suffix, ECB, key, 0, block, 0,
                    () -> new Sessions.Blocks(cipher.get(), encrypt, false, keys));
            add(algorithm, "cbc" + suffix, MODES, key, block, block, 0,
                    () -> new Sessions.Blocks(CBCBlockCipher.newInstance(cipher.get()), encrypt,
                            true, keys));
            add(algorithm, "cfb" + suffix, MODES, key, block, 1, 0,
                    () -> new Sessions.Feedback((StreamCipher) CFBBlockCipher.newInstance(
                            cipher.get(), 8 * block), encrypt, block, keys));
        }
        add(algorithm, "ofb", MODES, key, block, 1, 0,
                () -> new Sessions.Feedback(new OFBBlockCipher(cipher.get(), 8 * block), true,
                        block, keys));
        add(algorithm, "ctr", MODES, key, block, 1, 0,
                () -> new Sessions.Feedback((StreamCipher) SICBlockCipher.newInstance(cipher.get()),
                        true, block, keys));
        // CMac makes its key itself, from a KeyParameter alone.
        if (!algorithm.equals("rc5")) {
            add(algorithm, "cmac", MACS, key, 0, 1, block,
                    () -> new Sessions.Tag(new CMac(cipher.get()), keys, iv -> iv));
        }
        if (block == 16) {
            seals(algorithm, key, cipher);
        }
    }

    /** GCM and CCM, which take their nonce with every message. */
    private static void seals(String algorithm, int key, Supplier<BlockCipher> cipher) {
        seal(algorithm, "gcm-seal", key, () -> GCMBlockCipher.newInstance(cipher.get()));
        seal(algorithm, "ccm-seal", key, () -> CCMBlockCipher.newInstance(cipher.get()));
    }

    private static void seal(String algorithm, String name, int key, Supplier<AEADCipher> cipher) {
        add(algorithm, name, PACKETS, key, 12, 1, 16,
                () -> new Sessions.Sealing(cipher.get(), 128, false));
    }

    private static void stream(String algorithm, int key, int iv, Supplier<StreamCipher> cipher) {
        add(algorithm, "keystream", STREAMS, key, iv, 1, 0,
                () -> new Sessions.Keystream(cipher.get(), it -> it));
    }

    /** The IV of ZUC-256 with one 6-bit value in each of its last eight bytes. */
    private static byte[] unpacked(byte[] packed) {
        byte[] iv = java.util.Arrays.copyOf(packed, 25);
        long bits = 0;
        for (int i = 17; i < 23; i++) {
            bits = bits << 8 | packed[i] & 0xff;
        }
        for (int i = 0; i < 8; i++) {
            iv[17 + i] = (byte) (bits >>> 42 - 6 * i & 0x3f);
        }
        return iv;
    }
}
