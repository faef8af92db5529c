package org.cipherlane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.file.Paths;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.security.Security;
import javax.crypto.Cipher;
import org.junit.jupiter.api.Test;

/** On a platform without a native library the JCA goes on to the next provider. */
class PlatformTest {
    /** Run in a virtual machine of its own, which believes to be elsewhere. */
    public static final class Elsewhere {
        private Elsewhere() {}

        public static void main(String[] arguments) throws Exception {
            Security.insertProviderAt(new CipherlaneProvider(), 1);
            System.out.println(Cipher.getInstance("AES/GCM/NoPadding").getProvider().getName());
            try {
                Cipher.getInstance("SM4/GCM/NoPadding", "Cipherlane");
                System.out.println("an SM4 without a library");
            } catch (NoSuchAlgorithmException expected) {
                System.out.println("no SM4");
            }
            System.out.println(CipherlaneProvider.unavailable().orElse("available"));
            System.out.println(Security.getProvider("Cipherlane").getInfo());
            try {
                System.out.println(CipherlaneProvider.level());
            } catch (ProviderException expected) {
                System.out.println("no level: " + expected.getMessage());
            }
        }
    }

    /** Where a class was loaded from, by whatever class loader the tests run under. */
    private static String place(Class<?> of) throws Exception {
        return Paths.get(of.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    private static String run(String property) throws Exception {
        String java = System.getProperty("java.home") + File.separator + "bin" + File.separator
                + "java";
        String classes = place(Elsewhere.class) + File.pathSeparator
                + place(CipherlaneProvider.class);
        Process process = new ProcessBuilder(java, property, "-cp", classes,
                Elsewhere.class.getName()).redirectErrorStream(true).start();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] some = new byte[4096];
        for (int read; (read = process.getInputStream().read(some)) >= 0;) {
            all.write(some, 0, read);
        }
        String text = all.toString("UTF-8");
        assertEquals(0, process.waitFor(), text);
        return text;
    }

    @Test
    void anotherMachine() throws Exception {
        String text = run("-Dos.arch=pdp11");
        String why = "this jar has no native library for "
                + Native.platform().replaceFirst("-.*", "-pdp11");
        assertTrue(text.contains("SunJCE") && text.contains("no SM4"), text);
        assertTrue(text.contains("offers nothing here: " + why), text);
        assertTrue(text.contains("no level: " + why), text);
        assertTrue(text.contains("name one with -Dorg.cipherlane.library=FILE"), text);
    }

    @Test
    void aLibraryThatIsNotThere() throws Exception {
        String text = run("-Dorg.cipherlane.library=/nowhere/library.so");
        assertTrue(text.contains("SunJCE") && text.contains("no SM4"), text);
        assertTrue(text.contains("the native library /nowhere/library.so can't be loaded"), text);
    }

    @Test
    void thisMachine() {
        assertFalse(CipherlaneProvider.unavailable().isPresent());
    }
}
