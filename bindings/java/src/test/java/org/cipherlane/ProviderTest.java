package org.cipherlane;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.security.AlgorithmParameters;
import java.util.Locale;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What is listed is there. */
class ProviderTest {
    private static final CipherlaneProvider PROVIDER = new CipherlaneProvider();

    /** On Java 22 and later the jar brings a class of its own for the calls on arrays. */
    @Test
    void callsAreMadeTheWayThatIsExpected() {
        assertEquals(System.getProperty("org.cipherlane.way", "JNI"), Calls.way());
    }

    @TestFactory
    Stream<DynamicTest> everyOperationHasAService() {
        return Entry.ALL.stream().map(entry -> DynamicTest
                .dynamicTest(entry.algorithm() + "/" + entry.operation(), () -> find(entry)));
    }

    private static void find(Entry entry) throws Exception {
        Family family = Family.ALL.stream()
                .filter(it -> it.members().contains(entry.algorithm())).findFirst().get();
        String mode = entry.operation().replaceFirst("-(encrypt|decrypt|seal|open)$", "")
                .toUpperCase(Locale.ROOT);
        if (entry.kind().equals("mac")) {
            String name = family.isBlock() ? family.name() + "-" + mode
                    : mode.startsWith("MAC") ? family.name() + "-" + mode.substring(3) : mode;
            assertNotNull(Mac.getInstance(name, PROVIDER));
        } else if (family.isBlock() || !entry.kind().equals("cipher")) {
            assertNotNull(
                    Cipher.getInstance(family.name() + "/" + mode + "/NoPadding", PROVIDER));
        } else {
            String name = mode.equals("KEYSTREAM") ? family.name() : mode;
            assertNotNull(Cipher.getInstance(name, PROVIDER));
        }
    }

    @Test
    void parametersGoFromOneCipherToTheOther() throws Exception {
        SecretKey key = KeyGenerator.getInstance("SM4", PROVIDER).generateKey();
        assertEquals(16, key.getEncoded().length);
        for (String name : new String[] {"SM4/GCM/NoPadding", "SM4/CBC/PKCS7Padding"}) {
            Cipher one = Cipher.getInstance(name, PROVIDER);
            one.init(Cipher.ENCRYPT_MODE, key);
            byte[] sealed = one.doFinal(new byte[20]);
            AlgorithmParameters parameters = one.getParameters();
            AlgorithmParameters copy =
                    AlgorithmParameters.getInstance(parameters.getAlgorithm(), PROVIDER);
            copy.init(parameters.getEncoded());
            Cipher other = Cipher.getInstance(name, PROVIDER);
            other.init(Cipher.DECRYPT_MODE, key, copy);
            assertArrayEquals(new byte[20], other.doFinal(sealed));
        }
    }

    @Test
    void objectIdentifiersAreNames() throws Exception {
        Cipher cipher = Cipher.getInstance("1.2.156.10197.1.104.2", PROVIDER);
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "SM4"));
        assertEquals(32, cipher.doFinal(new byte[16]).length);
    }

    @Test
    void manyObjectsAreFreed() throws Exception {
        // A leak of a GCM key each, about a kilobyte, would fill the machine.
        for (int i = 0; i < 20_000; i++) {
            Cipher cipher = Cipher.getInstance("SM4/GCM/NoPadding", PROVIDER);
            byte[] nonce = new byte[12];
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "SM4"),
                    new GCMParameterSpec(128, nonce));
            assertEquals(21, cipher.doFinal(new byte[5]).length);
        }
    }
}
