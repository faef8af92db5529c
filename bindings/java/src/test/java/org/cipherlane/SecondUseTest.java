package org.cipherlane;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An IV of a MAC serves one message: two tags under one give the hash's key away. */
class SecondUseTest {
    private static final CipherlaneProvider PROVIDER = new CipherlaneProvider();

    private static SecretKeySpec key(String name) {
        boolean wide = name.startsWith("ZUC-256") || name.equals("NIA6");
        return new SecretKeySpec(new byte[wide ? 32 : 16], "any");
    }

    private static IvParameterSpec iv(String name, int number) {
        byte[] iv = new byte[name.endsWith("GMAC") ? 12 : name.startsWith("ZUC-256") ? 25 : 16];
        iv[0] = (byte) number;
        return new IvParameterSpec(iv);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SM4-GMAC", "AES-GMAC", "ZUC-128", "EIA3", "ZUC-256-32", "ZUC-256-64",
        "ZUC-256-128", "NIA6"})
    void anIvServesOneMessage(String name) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(name, PROVIDER);
        mac.init(key(name), iv(name, 1));
        mac.update(new byte[5]);
        // Begun anew before its end, a message is still the first one.
        mac.reset();
        byte[] tag = mac.doFinal(new byte[20]);
        assertThrows(IllegalStateException.class, () -> mac.update((byte) 1));
        assertThrows(IllegalStateException.class, () -> mac.update(new byte[3]));
        assertThrows(IllegalStateException.class, mac::doFinal);
        mac.reset();
        assertThrows(IllegalStateException.class, () -> mac.doFinal(new byte[20]));
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> mac.init(key(name), iv(name, 1)));
        // What was refused left the MAC as it was: at its end.
        assertThrows(IllegalStateException.class, mac::doFinal);
        mac.init(key(name), iv(name, 2));
        assertFalse(Arrays.equals(tag, mac.doFinal(new byte[20])));
        // One that was set and not used in between makes nothing of the first.
        mac.init(key(name), iv(name, 3));
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> mac.init(key(name), iv(name, 2)));
        // Another key has not seen the IV.
        byte[] other = key(name).getEncoded();
        other[0] = 1;
        mac.init(new SecretKeySpec(other, "any"), iv(name, 2));
        mac.doFinal(new byte[20]);
        mac.init(key(name), iv(name, 1));
        assertArrayEquals(tag, mac.doFinal(new byte[20]));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SM4-GMAC", "ZUC-128", "ZUC-256-128", "NIA6"})
    void anIvIsNotCopied(String name) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(name, PROVIDER);
        mac.init(key(name), iv(name, 1));
        mac.update(new byte[5]);
        assertThrows(CloneNotSupportedException.class, mac::clone);
        mac.doFinal();
        assertThrows(CloneNotSupportedException.class, mac::clone);
    }

    @Test
    void aMacWithoutAnIvGoesOn() throws Exception {
        Mac mac = Mac.getInstance("SM4-CMAC", PROVIDER);
        mac.init(key("SM4-CMAC"));
        byte[] tag = mac.doFinal(new byte[20]);
        mac.update(new byte[20]);
        Mac copy = (Mac) mac.clone();
        assertArrayEquals(tag, mac.doFinal());
        assertArrayEquals(tag, copy.doFinal());
        mac.update(new byte[7]);
        mac.reset();
        assertArrayEquals(tag, mac.doFinal(new byte[20]));
    }
}
