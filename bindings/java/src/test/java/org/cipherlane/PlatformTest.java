package org.cipherlane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.StringReader;
import java.nio.file.Paths;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import org.cipherlane.Platform.CLibrary;
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
                + Platform.folders().get(0).replaceFirst("[^-]*$", "pdp11");
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
        if (System.getProperty("os.name").equals("Linux")) {
            assertEquals(1, Platform.folders().size(), "the C library of this process is unknown");
        }
    }

    /** A process of which the last file mapped is this one, as Linux shows it. */
    private static CLibrary library(String file) throws Exception {
        String maps = "5581c8a4e000-5581c8a4f000 r-xp 00000000 fd:00 262 /usr/bin/java\n"
                + "7f1d2c000000-7f1d2c021000 rw-p 00000000 00:00 0 \n"
                + "7f1d34a1b000-7f1d34a6f000 r-xp 00014000 fd:00 1043 " + file + "\n"
                + "7ffd1a5e2000-7ffd1a603000 rw-p 00000000 00:00 0 [stack]\n";
        return Platform.library(new BufferedReader(new StringReader(maps)));
    }

    @Test
    void theLibraryOfAProcessIsTheOneInItsMemory() throws Exception {
        for (String gnu : Arrays.asList("/usr/lib/x86_64-linux-gnu/libc.so.6",
                "/lib64/libc-2.17.so", "/usr/lib64/libc-2.28.so (deleted)")) {
            assertEquals(CLibrary.GNU, library(gnu), gnu);
        }
        for (String musl : Arrays.asList("/lib/ld-musl-x86_64.so.1",
                "/lib/ld-musl-aarch64.so.1 (deleted)", "/usr/lib/x86_64-linux-musl/libc.so",
                "/usr/lib/libc.so")) {
            assertEquals(CLibrary.MUSL, library(musl), musl);
        }
        for (String neither : Arrays.asList("/usr/lib/libcrypto.so.3", "/opt/app/mylibc.so",
                "/opt/ld-musl-x86_64.so.1/readme", "/usr/lib/libc++.so.1")) {
            assertEquals(CLibrary.UNKNOWN, library(neither), neither);
        }
    }

    @Test
    void oneFolderWhereTheLibraryIsKnown() {
        assertEquals(Arrays.asList("linux-x86_64"),
                Platform.folders("linux", "x86_64", CLibrary.GNU));
        assertEquals(Arrays.asList("linux-musl-aarch64"),
                Platform.folders("linux", "aarch64", CLibrary.MUSL));
        assertEquals(Arrays.asList("linux-x86_64", "linux-musl-x86_64"),
                Platform.folders("linux", "x86_64", CLibrary.UNKNOWN));
        assertEquals(Arrays.asList("macos-aarch64"),
                Platform.folders("macos", "aarch64", CLibrary.UNKNOWN));
    }

    @Test
    void theNextIsTriedAndAllReasonsAreTold() {
        List<String> tried = new ArrayList<>();
        List<String> both = Arrays.asList("linux-x86_64", "linux-musl-x86_64");
        assertNull(Platform.first(both, folder -> {
            tried.add(folder);
            return folder.contains("musl") ? null : "no " + folder;
        }));
        assertEquals(both, tried);
        tried.clear();
        assertNull(Platform.first(both, folder -> tried.add(folder) ? null : "twice"));
        assertEquals(Arrays.asList("linux-x86_64"), tried);
        assertEquals("no linux-x86_64; no linux-musl-x86_64",
                Platform.first(both, folder -> "no " + folder));
    }
}
