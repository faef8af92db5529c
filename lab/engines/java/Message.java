/** A message of the ring; input and output are the same where it is processed in place. */
final class Message {
    int slot;
    byte[] key;
    byte[] iv;
    byte[] input;
    byte[] output;
    byte[] tag;
}
