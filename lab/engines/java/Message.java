/** A message of the ring; input and output are the same where it is processed in place. */
final class Message {
    int slot;
    byte[] key;
    byte[] iv;
    byte[] aad;
    /** The length of the input; the output of an AEAD has room for the tag behind it. */
    int length;
    byte[] input;
    byte[] output;
    byte[] tag;
}
