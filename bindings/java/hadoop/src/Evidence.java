import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.crypto.CryptoCodec;
import org.apache.hadoop.crypto.CryptoOutputStream;
import org.apache.hadoop.crypto.key.KeyProviderCryptoExtension;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * Files of a zone, written and read in all the ways that HDFS has, and what lies in HDFS of them:
 * decrypted by Bouncy Castle here, and kept with the file's key, for a program outside of Java.
 */
final class Evidence {
    /** Ends in the middle of a block of the cipher. */
    private static final int LENGTH = 3 * (1 << 20) + 777;
    private static final int PLACES = 64;

    private final Path folder;
    private final String suite;
    private final byte[] plain = new byte[LENGTH];
    private int count;

    Evidence(Path folder, String suite) throws IOException {
        this.folder = Files.createDirectories(folder.resolve("evidence"));
        this.suite = suite;
        new Random(4454).nextBytes(plain);
    }

    /** How many were kept. */
    int count() {
        return count;
    }

    /** A stream whose counter overflows all of its 128 bits, after 65 blocks. */
    void overflow(CryptoCodec codec) throws Exception {
        byte[] key = new byte[16];
        new Random(17609).nextBytes(key);
        byte[] iv = new byte[16];
        Arrays.fill(iv, (byte) 0xff);
        iv[15] = (byte) (0xff - 64);
        ByteArrayOutputStream stored = new ByteArrayOutputStream();
        try (OutputStream out = new CryptoOutputStream(stored, codec, 8192, key, iv)) {
            write(out, 0, LENGTH);
        }
        keep("overflow", key, iv, stored.toByteArray());
    }

    /** Writes, in pieces of all lengths, what lies between two places of the plaintext. */
    private void write(OutputStream out, int from, int to) throws IOException {
        Random random = new Random(from);
        int[] lengths = {1, 15, 16, 17, 4095, 8192, 8193, 65537};
        int at = from;
        for (int i = 0; at < to; i++) {
            int piece = Math.min(lengths[random.nextInt(lengths.length)], to - at);
            out.write(plain, at, piece);
            at += piece;
            // What HDFS does for whoever wants to read beside: the stream is cut into packets.
            if (i % 16 == 0 && out instanceof FSDataOutputStream) {
                ((FSDataOutputStream) out).hflush();
            }
        }
    }

    /** Writes a file and appends to it, reads it, and compares what lies in HDFS. */
    void file(DistributedFileSystem files, KeyProviderCryptoExtension keys, String name)
            throws Exception {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(name);
        int middle = LENGTH / 2 + 3;
        try (OutputStream out = files.create(file)) {
            write(out, 0, middle);
        }
        try (OutputStream out = files.append(file)) {
            write(out, middle, LENGTH);
        }
        opens(files, name);
        FileEncryptionInfo info =
                ((HdfsFileStatus) files.getFileStatus(file)).getFileEncryptionInfo();
        if (!info.getCipherSuite().getName().equals(suite)) {
            throw new IOException("the file's suite is " + info.getCipherSuite());
        }
        byte[] key = keys.decryptEncryptedKey(KeyProviderCryptoExtension.EncryptedKeyVersion
                .createForDecryption(info.getKeyName(), info.getEzKeyVersionName(), info.getIV(),
                        info.getEncryptedDataEncryptionKey())).getMaterial();
        byte[] raw = new byte[LENGTH];
        try (FSDataInputStream in =
                files.open(new org.apache.hadoop.fs.Path("/.reserved/raw" + name))) {
            in.readFully(raw);
            if (in.read() >= 0) {
                throw new IOException("bytes behind the end of what lies in HDFS");
            }
        }
        keep(name.replace('/', '-').substring(1), key, info.getIV(), raw);
    }

    /** Reads a file from beginning to end, at places, and into memory outside of Java's heap. */
    void opens(DistributedFileSystem files, String name) throws IOException {
        Random random = new Random(name.hashCode());
        try (FSDataInputStream in = files.open(new org.apache.hadoop.fs.Path(name))) {
            byte[] all = new byte[LENGTH];
            int at = 0;
            while (at < LENGTH) {
                int got = in.read(all, at, Math.min(1 + random.nextInt(100_000), LENGTH - at));
                if (got < 0) {
                    throw new IOException(name + " ends after " + at + " bytes");
                }
                at += got;
            }
            same(name, all, 0);
            for (int i = 0; i < PLACES; i++) {
                int place = random.nextInt(LENGTH - 70_000);
                byte[] part = new byte[1 + random.nextInt(70_000)];
                if (i % 2 == 0) {
                    in.readFully(place, part);
                } else {
                    in.seek(place);
                    in.readFully(part);
                }
                same(name, part, place);
                ByteBuffer outside = ByteBuffer.allocateDirect(1 + random.nextInt(70_000));
                in.seek(place);
                int got = in.read(outside);
                outside.flip();
                byte[] some = new byte[got];
                outside.get(some);
                same(name, some, place);
            }
        }
    }

    private void same(String name, byte[] part, int place) throws IOException {
        if (!Arrays.equals(part, Arrays.copyOfRange(plain, place, place + part.length))) {
            throw new IOException(name + ": other bytes at " + place + " than were written");
        }
    }

    private void keep(String name, byte[] key, byte[] iv, byte[] stored) throws Exception {
        if (Arrays.equals(stored, plain)) {
            throw new IOException(name + " is not encrypted");
        }
        Cipher cipher = Cipher.getInstance(suite, new BouncyCastleProvider());
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, suite.replaceFirst("/.*", "")),
                new IvParameterSpec(iv));
        if (!Arrays.equals(cipher.doFinal(stored), plain)) {
            throw new IOException("Bouncy Castle reads other bytes of " + name);
        }
        Files.write(folder.resolve(name + ".stored"), stored);
        Files.write(folder.resolve(name + ".plain"), plain);
        String line = key.length * 8 + " " + hex(key) + " " + hex(iv);
        Files.write(folder.resolve(name + ".key"), line.getBytes(StandardCharsets.US_ASCII));
        count++;
    }

    private static String hex(byte[] bytes) {
        return String.format("%0" + 2 * bytes.length + "x", new BigInteger(1, bytes));
    }
}
