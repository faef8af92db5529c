import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.cipherlane.CipherlaneProvider;

/** The kinds of sessions over the JCA. */
final class Sessions {
    private static final CipherlaneProvider PROVIDER = new CipherlaneProvider();

    private Sessions() {}

    /** What the JCA throws and can't happen here. */
    private static IllegalArgumentException wrong(GeneralSecurityException error) {
        return new IllegalArgumentException(error.getMessage(), error);
    }

    /** The start of a message, the same for all of them. */
    private abstract static class Started implements Session {
        private SecretKeySpec key;

        abstract void init(SecretKeySpec key, byte[] iv) throws GeneralSecurityException;

        @Override
        public void start(byte[] fresh, byte[] iv) {
            try {
                if (fresh != null) {
                    key = new SecretKeySpec(fresh, "any");
                }
                init(key, iv);
            } catch (GeneralSecurityException error) {
                throw wrong(error);
            }
        }
    }

    /** Ciphers without tags; in streams each message is the next piece. */
    static final class Pieces extends Started {
        private final Cipher cipher;
        private final int mode;

        Pieces(String name, boolean encrypt) {
            mode = encrypt ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE;
            try {
                cipher = Cipher.getInstance(name, PROVIDER);
            } catch (GeneralSecurityException error) {
                throw wrong(error);
            }
        }

        @Override
        void init(SecretKeySpec key, byte[] iv) throws GeneralSecurityException {
            AlgorithmParameterSpec vector =
                    iv == null || iv.length == 0 ? null : new IvParameterSpec(iv);
            cipher.init(mode, key, vector);
        }

        @Override
        public boolean restarts() {
            return true;
        }

        @Override
        public void process(Message message) {
            try {
                cipher.update(message.input, 0, message.length, message.output, 0);
            } catch (GeneralSecurityException error) {
                throw wrong(error);
            }
        }
    }

    /** AEADs. */
    static final class Sealing extends Started {
        private final Cipher cipher;

        Sealing(String name) {
            try {
                cipher = Cipher.getInstance(name, PROVIDER);
            } catch (GeneralSecurityException error) {
                throw wrong(error);
            }
        }

        @Override
        void init(SecretKeySpec key, byte[] iv) throws GeneralSecurityException {
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, iv));
        }

        @Override
        public void process(Message message) {
            try {
                if (message.aad.length > 0) {
                    cipher.updateAAD(message.aad);
                }
                cipher.doFinal(message.input, 0, message.length, message.output, 0);
            } catch (GeneralSecurityException error) {
                throw wrong(error);
            }
        }
    }

    /** MACs. */
    static final class Tag extends Started {
        private final Mac mac;

        Tag(String name) {
            try {
                mac = Mac.getInstance(name, PROVIDER);
            } catch (GeneralSecurityException error) {
                throw wrong(error);
            }
        }

        @Override
        void init(SecretKeySpec key, byte[] iv) throws GeneralSecurityException {
            mac.init(key, iv == null || iv.length == 0 ? null : new IvParameterSpec(iv));
        }

        @Override
        public void process(Message message) {
            mac.update(message.input, 0, message.length);
            try {
                mac.doFinal(message.tag, 0);
            } catch (GeneralSecurityException error) {
                throw wrong(error);
            }
        }
    }
}
