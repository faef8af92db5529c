import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.ScalarFunction;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.util.encoders.Hex;

/** What a user without the jar would write: the same values by Bouncy Castle, for its time. */
public final class BouncyCastleEncrypt extends ScalarFunction {
    private static final long serialVersionUID = 1;

    private transient Cipher cipher;
    private transient SecureRandom random;
    private transient SecretKeySpec key;

    @Override
    public void open(FunctionContext context) throws Exception {
        cipher = Cipher.getInstance("SM4/GCM/NoPadding", new BouncyCastleProvider());
        random = new SecureRandom();
    }

    /** IV, ciphertext and tag. */
    public byte[] eval(String value, String reference) throws Exception {
        if (key == null) {
            byte[] digits =
                    Files.readAllBytes(Paths.get(reference.substring("file:".length())));
            key = new SecretKeySpec(Hex.decode(digits), "SM4");
        }
        byte[] iv = new byte[12];
        random.nextBytes(iv);
        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, iv));
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        byte[] sealed = Arrays.copyOf(iv, 12 + cipher.getOutputSize(text.length));
        cipher.doFinal(text, 0, text.length, sealed, 12);
        return sealed;
    }

    @Override
    public boolean isDeterministic() {
        return false;
    }
}
