package org.cipherlane.spark;

import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;
import org.apache.spark.sql.api.java.UDF2;
import org.cipherlane.internal.Layout;

/**
 * Decrypts what {@link Sm4Encrypt} made; null for a value that does not open.
 *
 * <p>{@code spark.udf().register("try_sm4_decrypt", new TrySm4Decrypt(), DataTypes.BinaryType)},
 * then
 * {@code try_sm4_decrypt(value, 'env:NAME')}. The key is given by reference, {@code file:PATH} or
 * {@code env:NAME}. The functions of the package for Python take batches and are faster.
 */
public final class TrySm4Decrypt implements UDF2<byte[], String, byte[]> {
    private static final long serialVersionUID = 1;

    /** The mode. */
    private final Layout layout;

    /** In GCM. */
    public TrySm4Decrypt() {
        this("GCM");
    }

    /**
     * In a mode.
     *
     * @param mode {@code GCM}, {@code CBC} or {@code ECB}
     */
    public TrySm4Decrypt(String mode) {
        layout = Layout.of(mode);
    }

    @Override
    public byte[] call(byte[] value, String key) throws Exception {
        if (value == null || key == null) {
            return null;
        }
        try {
            return layout.decrypt(value, key);
        } catch (BadPaddingException | IllegalBlockSizeException error) {
            return null;
        }
    }
}
