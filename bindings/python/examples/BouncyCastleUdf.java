import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.spark.sql.api.java.UDF2;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** SM4-GCM by Bouncy Castle, a value at a time, as a function of Spark: what one writes today. */
public final class BouncyCastleUdf {
    private static final Provider PROVIDER = new BouncyCastleProvider();
    private static final int IV = 12;

    private BouncyCastleUdf() {}

    /** What a thread keeps: the cipher, the key, and random bytes, many of them drawn at once. */
    private static final class Kept {
        final Cipher cipher;
        final SecretKeySpec key;
        final SecureRandom random = new SecureRandom();
        final byte[] drawn = new byte[IV * 256];
        int used = drawn.length;

        Kept(String path) {
            try {
                cipher = Cipher.getInstance("SM4/GCM/NoPadding", PROVIDER);
                byte[] bytes = HexFormat.of().parseHex(Files.readString(Path.of(path)).strip());
                key = new SecretKeySpec(bytes, "SM4");
            } catch (Exception error) {
                throw new IllegalStateException(error);
            }
        }

        byte[] iv() {
            if (used == drawn.length) {
                random.nextBytes(drawn);
                used = 0;
            }
            used += IV;
            return Arrays.copyOfRange(drawn, used - IV, used);
        }
    }

    private static final ThreadLocal<Kept> KEPT = new ThreadLocal<>();

    private static Kept kept(String reference) {
        Kept kept = KEPT.get();
        if (kept == null) {
            kept = new Kept(reference.substring("file:".length()));
            KEPT.set(kept);
        }
        return kept;
    }

    public static final class Encrypt implements UDF2<byte[], String, byte[]> {
        private static final long serialVersionUID = 1;

        @Override
        public byte[] call(byte[] value, String key) throws Exception {
            Kept kept = kept(key);
            byte[] iv = kept.iv();
            kept.cipher.init(Cipher.ENCRYPT_MODE, kept.key, new GCMParameterSpec(128, iv));
            byte[] out = new byte[IV + kept.cipher.getOutputSize(value.length)];
            System.arraycopy(iv, 0, out, 0, IV);
            kept.cipher.doFinal(value, 0, value.length, out, IV);
            return out;
        }
    }

    public static final class Decrypt implements UDF2<byte[], String, byte[]> {
        private static final long serialVersionUID = 1;

        @Override
        public byte[] call(byte[] value, String key) throws Exception {
            Kept kept = kept(key);
            kept.cipher.init(
                    Cipher.DECRYPT_MODE, kept.key, new GCMParameterSpec(128, value, 0, IV));
            return kept.cipher.doFinal(value, IV, value.length - IV);
        }
    }
}
