package org.cipherlane;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jcajce.spec.AEADParameterSpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters that Bouncy Castle reads in another way, or that say more than an IV. */
class ParametersTest {
    private static final CipherlaneProvider OURS = new CipherlaneProvider();
    private static final BouncyCastleProvider THEIRS = new BouncyCastleProvider();
    private static final byte[] NONCE = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

    private static SecretKeySpec key(String name) {
        return new SecretKeySpec(new byte[16], name.split("/")[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SM4/CCM/NoPadding", "AES/CCM/NoPadding"})
    void ccmWantsTheLengthOfItsTag(String name) throws GeneralSecurityException {
        Cipher theirs = Cipher.getInstance(name, THEIRS);
        theirs.init(Cipher.ENCRYPT_MODE, key(name), new IvParameterSpec(NONCE));
        byte[] sealed = theirs.doFinal(new byte[16]);
        assertEquals(24, sealed.length, "what Bouncy Castle takes without a word");
        Cipher ours = Cipher.getInstance(name, OURS);
        for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
            var error = assertThrows(InvalidAlgorithmParameterException.class,
                    () -> ours.init(mode, key(name), new IvParameterSpec(NONCE)));
            assertTrue(error.getMessage().contains("GCMParameterSpec(TAG_BITS, NONCE)"),
                    error.getMessage());
        }
        // The remedy that the message tells.
        ours.init(Cipher.DECRYPT_MODE, key(name), new GCMParameterSpec(64, NONCE));
        assertArrayEquals(new byte[16], ours.doFinal(sealed));
        ours.init(Cipher.DECRYPT_MODE, key(name), new AEADParameterSpec(NONCE, 64));
        assertArrayEquals(new byte[16], ours.doFinal(sealed));
    }

    @Test
    void gcmWithAnIvHasTheFullTagAsThere() throws GeneralSecurityException {
        byte[][] sealed = new byte[2][];
        for (int i = 0; i < 2; i++) {
            Cipher cipher = Cipher.getInstance("SM4/GCM/NoPadding", i == 0 ? OURS : THEIRS);
            cipher.init(Cipher.ENCRYPT_MODE, key("SM4"), new IvParameterSpec(NONCE));
            sealed[i] = cipher.doFinal(new byte[16]);
        }
        assertEquals(32, sealed[0].length);
        assertArrayEquals(sealed[1], sealed[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SM4/GCM/NoPadding", "AES/GCM/NoPadding", "SM4/CCM/NoPadding"})
    void bouncyCastlesParametersAreReadWhole(String name) throws GeneralSecurityException {
        var parameters = new AEADParameterSpec(NONCE, 96, new byte[] {7, 8, 9});
        byte[][] sealed = new byte[2][];
        for (int i = 0; i < 2; i++) {
            Cipher cipher = Cipher.getInstance(name, i == 0 ? OURS : THEIRS);
            cipher.init(Cipher.ENCRYPT_MODE, key(name), parameters);
            cipher.updateAAD(new byte[] {10});
            sealed[i] = cipher.doFinal(new byte[16]);
        }
        assertEquals(28, sealed[0].length);
        assertArrayEquals(sealed[1], sealed[0]);
        Cipher cipher = Cipher.getInstance(name, OURS);
        cipher.init(Cipher.DECRYPT_MODE, key(name), parameters);
        for (int i = 0; i < 2; i++) {
            cipher.updateAAD(new byte[] {10});
            assertArrayEquals(new byte[16], cipher.doFinal(sealed[1]), "message " + i);
        }
    }

    @Test
    void associatedDataForWhatHasNone() throws GeneralSecurityException {
        var parameters = new AEADParameterSpec(new byte[16], 128, new byte[] {1});
        Cipher ctr = Cipher.getInstance("SM4/CTR/NoPadding", OURS);
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> ctr.init(Cipher.ENCRYPT_MODE, key("SM4"), parameters));
    }

    @Test
    void ccmWithoutParametersTellsWhatItTook() throws GeneralSecurityException {
        Cipher one = Cipher.getInstance("SM4/CCM/NoPadding", OURS);
        one.init(Cipher.ENCRYPT_MODE, key("SM4"));
        byte[] sealed = one.doFinal(new byte[5]);
        assertEquals(21, sealed.length);
        Cipher other = Cipher.getInstance("SM4/CCM/NoPadding", OURS);
        other.init(Cipher.DECRYPT_MODE, key("SM4"), one.getParameters());
        assertArrayEquals(new byte[5], other.doFinal(sealed));
    }
}
