package org.cipherlane;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.util.ConcurrentModificationException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.AEADBadTagException;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Wrong calls end in the JCA's exceptions, never in a crash. */
class MisuseTest {
    private static final CipherlaneProvider PROVIDER = new CipherlaneProvider();
    private static final SecretKeySpec KEY = new SecretKeySpec(new byte[16], "SM4");

    private static GCMParameterSpec nonce(int last) {
        byte[] nonce = new byte[12];
        nonce[11] = (byte) last;
        return new GCMParameterSpec(128, nonce);
    }

    private static Cipher cipher(String mode) throws GeneralSecurityException {
        return Cipher.getInstance("SM4/" + mode, PROVIDER);
    }

    @Test
    void aNonceIsNotUsedTwice() throws GeneralSecurityException {
        Cipher gcm = cipher("GCM/NoPadding");
        gcm.init(Cipher.ENCRYPT_MODE, KEY, nonce(1));
        gcm.doFinal(new byte[5]);
        assertThrows(IllegalStateException.class, () -> gcm.doFinal(new byte[5]));
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> gcm.init(Cipher.ENCRYPT_MODE, KEY, nonce(1)));
        gcm.init(Cipher.ENCRYPT_MODE, KEY, nonce(2));
        byte[] sealed = gcm.doFinal(new byte[5]);
        gcm.init(Cipher.DECRYPT_MODE, KEY, nonce(2));
        assertArrayEquals(new byte[5], gcm.doFinal(sealed));
        assertArrayEquals(new byte[5], gcm.doFinal(sealed));
    }

    @Test
    void aNonceIsRememberedWhileOthersAreSetAndOpened() throws GeneralSecurityException {
        Cipher gcm = cipher("GCM/NoPadding");
        gcm.init(Cipher.ENCRYPT_MODE, KEY, nonce(1));
        byte[] sealed = gcm.doFinal(new byte[5]);
        gcm.init(Cipher.DECRYPT_MODE, KEY, nonce(1));
        assertArrayEquals(new byte[5], gcm.doFinal(sealed));
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> gcm.init(Cipher.ENCRYPT_MODE, KEY, nonce(1)));
        gcm.init(Cipher.ENCRYPT_MODE, KEY, nonce(2));
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> gcm.init(Cipher.ENCRYPT_MODE, KEY, nonce(1)));
        byte[] first = nonce(1).getIV();
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> gcm.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(96, first)));
    }

    @Test
    void wrongLengths() throws GeneralSecurityException {
        Cipher gcm = cipher("GCM/NoPadding");
        var shortKey = new SecretKeySpec(new byte[15], "SM4");
        assertThrows(InvalidKeyException.class,
                () -> gcm.init(Cipher.ENCRYPT_MODE, shortKey, nonce(1)));
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> gcm.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(8, new byte[12])));
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> gcm.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(128, new byte[0])));
        Cipher cbc = cipher("CBC/NoPadding");
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> cbc.init(Cipher.ENCRYPT_MODE, KEY, new IvParameterSpec(new byte[15])));
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> cbc.init(Cipher.ENCRYPT_MODE, KEY, nonce(1)));
        cbc.init(Cipher.ENCRYPT_MODE, KEY, new IvParameterSpec(new byte[16]));
        assertThrows(IllegalBlockSizeException.class, () -> cbc.doFinal(new byte[15]));
        assertThrows(ShortBufferException.class,
                () -> cbc.update(new byte[32], 0, 32, new byte[31]));
        assertThrows(IllegalArgumentException.class,
                () -> cbc.update(new byte[32], 20, 32, new byte[64]));
        assertThrows(IllegalArgumentException.class,
                () -> cbc.update(new byte[32], -1, 2, new byte[64]));
        assertEquals(32, cbc.doFinal(new byte[32]).length);
    }

    @Test
    void nativeCallsCheckTheirRangesThemselves() throws GeneralSecurityException {
        long handle = Native.cipherNew(0, Native.name("sm4"), Native.name("ctr"),
                new byte[16], new byte[16], 0, -1, -1, -1);
        for (int length : new int[] {10, 5000}) {
            byte[] data = new byte[length];
            for (int[] bad : new int[][] {{1, length}, {-1, 1}, {0, -1},
                {Integer.MAX_VALUE, length}}) {
                assertThrows(IndexOutOfBoundsException.class, () -> Native.cipherUpdate(handle,
                        data, bad[0], bad[1], new byte[2 * length], 0, 2 * length));
            }
            assertThrows(IndexOutOfBoundsException.class, () -> Native.cipherUpdate(handle, data, 0,
                    length, new byte[length], 1, length));
        }
        Native.cipherFree(handle);
        long gcm = Native.aeadNew(0, false, Native.name("sm4"), Native.name("gcm"),
                new byte[16], 12, 16);
        byte[] nonce = new byte[12];
        for (int length : new int[] {16, 200, 5000}) {
            byte[] data = new byte[length];
            byte[] room = new byte[length + 16];
            for (int[] bad : new int[][] {{1, length}, {-1, 1}, {0, -1}, {0, length + 1},
                {Integer.MAX_VALUE, length}}) {
                assertThrows(IndexOutOfBoundsException.class, () -> Native.aeadApply(gcm, false,
                        nonce, nonce, 0, 16, data, bad[0], bad[1], room, 0, room.length));
                int space = bad[1] < 0 ? bad[1] : bad[1] + 16;
                assertThrows(IndexOutOfBoundsException.class, () -> Native.aeadApply(gcm, false,
                        nonce, nonce, 0, 16, data, 0, length, room, bad[0], space));
            }
            assertThrows(IndexOutOfBoundsException.class, () -> Native.aeadApply(gcm, false,
                    nonce, nonce, 13, 16, data, 0, length, room, 0, room.length));
            assertThrows(ShortBufferException.class, () -> Native.aeadApply(gcm, false, nonce,
                    nonce, 0, 16, data, 0, length, room, 0, room.length - 1));
        }
        Native.aeadFree(gcm);
    }

    @Test
    void callsBeforeTheirTime() throws GeneralSecurityException {
        Cipher gcm = cipher("GCM/NoPadding");
        assertThrows(IllegalStateException.class, () -> gcm.doFinal(new byte[1]));
        gcm.init(Cipher.ENCRYPT_MODE, KEY, nonce(3));
        gcm.update(new byte[1]);
        assertThrows(IllegalStateException.class, () -> gcm.updateAAD(new byte[1]));
        assertThrows(IllegalStateException.class,
                () -> Mac.getInstance("SM4-CMAC", PROVIDER).doFinal());
        assertThrows(InvalidAlgorithmParameterException.class, () -> cipher("GCM/NoPadding")
                .init(Cipher.DECRYPT_MODE, KEY, (GCMParameterSpec) null));
        assertThrows(InvalidKeyException.class,
                () -> cipher("CBC/NoPadding").init(Cipher.DECRYPT_MODE, KEY));
    }

    @Test
    void wrongTagsAndPaddings() throws GeneralSecurityException {
        Cipher gcm = cipher("GCM/NoPadding");
        gcm.init(Cipher.DECRYPT_MODE, KEY, nonce(1));
        assertThrows(AEADBadTagException.class, () -> gcm.doFinal(new byte[15]));
        assertThrows(AEADBadTagException.class, () -> gcm.doFinal(new byte[40]));
        Cipher cbc = cipher("CBC/PKCS5Padding");
        cbc.init(Cipher.DECRYPT_MODE, KEY, new IvParameterSpec(new byte[16]));
        assertThrows(BadPaddingException.class, () -> cbc.doFinal(new byte[16]));
        assertThrows(IllegalBlockSizeException.class, () -> cbc.doFinal(new byte[17]));
    }

    @Test
    void unknownNames() {
        assertThrows(NoSuchAlgorithmException.class,
                () -> Cipher.getInstance("SM4/NOPE/NoPadding", PROVIDER));
        assertThrows(NoSuchAlgorithmException.class,
                () -> Cipher.getInstance("SM4/GCM/PKCS5Padding", PROVIDER));
        assertThrows(InvalidParameterException.class,
                () -> KeyGenerator.getInstance("SM4", PROVIDER).init(127));
    }

    @Test
    void twoThreadsOnOneObject() throws Exception {
        long handle = Native.cipherNew(0, Native.name("sm4"), Native.name("ctr"),
                new byte[16], new byte[16], 0, -1, -1, -1);
        var refused = new AtomicInteger();
        var wrong = new AtomicInteger();
        Runnable work = () -> {
            byte[] data = new byte[1 << 20];
            for (int i = 0; i < 200; i++) {
                try {
                    Native.cipherUpdate(handle, data, 0, data.length, data, 0, data.length);
                } catch (ConcurrentModificationException busy) {
                    refused.incrementAndGet();
                } catch (GeneralSecurityException error) {
                    wrong.incrementAndGet();
                }
            }
        };
        for (int round = 0; round < 20 && refused.get() == 0; round++) {
            Thread[] threads = {new Thread(work), new Thread(work)};
            for (Thread thread : threads) {
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertEquals(0, wrong.get());
        assertTrue(refused.get() > 0, "no call was refused");
        Native.cipherFree(handle);
    }

    @Test
    void twoThreadsOnOneCipher() throws Exception {
        Cipher gcm = cipher("GCM/NoPadding");
        var broken = new AtomicInteger();
        Thread[] threads = new Thread[2];
        for (int number = 0; number < threads.length; number++) {
            int own = number;
            threads[number] = new Thread(() -> {
                for (int i = 0; i < 20_000; i++) {
                    try {
                        var nonce = nonce(2 * i + own);
                        var key = i % 5 == 0 ? new SecretKeySpec(new byte[16], "SM4") : KEY;
                        gcm.init(i % 3 == 0 ? Cipher.DECRYPT_MODE : Cipher.ENCRYPT_MODE, key, nonce);
                        gcm.updateAAD(new byte[i % 70]);
                        gcm.update(new byte[i % 50]);
                        gcm.doFinal(new byte[i % 2000]);
                    } catch (GeneralSecurityException | RuntimeException refused) {
                        // What a message mixed of two comes to is not said; it must end so.
                    } catch (Throwable error) {
                        broken.incrementAndGet();
                    }
                }
            });
            threads[number].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(0, broken.get());
        gcm.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(128, new byte[13]));
        assertEquals(21, gcm.doFinal(new byte[5]).length);
    }

    @Test
    void nothingIsNoKeyAndNoData() throws GeneralSecurityException {
        for (String mode : new String[] {"GCM/NoPadding", "CBC/PKCS5Padding", "CTR/NoPadding"}) {
            assertThrows(InvalidKeyException.class,
                    () -> cipher(mode).init(Cipher.ENCRYPT_MODE, null, new IvParameterSpec(new byte[16])),
                    mode);
            Cipher cipher = cipher(mode);
            cipher.init(Cipher.ENCRYPT_MODE, KEY, new IvParameterSpec(new byte[16]));
            assertThrows(IllegalArgumentException.class, () -> cipher.update((byte[]) null), mode);
            assertThrows(IllegalArgumentException.class,
                    () -> cipher.update(new byte[8], 0, Integer.MAX_VALUE), mode);
            assertThrows(IllegalArgumentException.class,
                    () -> cipher.update(new byte[8], Integer.MAX_VALUE, 8), mode);
            assertThrows(IllegalArgumentException.class,
                    () -> cipher.doFinal(new byte[8], 0, -1), mode);
            assertThrows(ShortBufferException.class,
                    () -> cipher.doFinal(new byte[8], 0, 8, new byte[40], 39), mode);
        }
        assertThrows(InvalidKeyException.class,
                () -> Mac.getInstance("SM4-CMAC", PROVIDER).init(null));
    }

    @Test
    void whatIsCollectedIsBounded() {
        var kept = new Kept(200);
        kept.add(new byte[150], 0, 150);
        assertThrows(ProviderException.class, () -> kept.add(new byte[51], 0, 51));
        assertEquals(150, kept.length);
        kept.add(new byte[50], 0, 50);
        assertEquals(200, kept.bytes.length);
        kept.clear();
        assertThrows(ProviderException.class, () -> kept.add(new byte[0], 0, Integer.MAX_VALUE));
    }
}
