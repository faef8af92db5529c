package org.cipherlane.sequences;

/** One of the two providers. */
interface Side {
    /** Makes a call; what it gave, or the name of the exception's class. */
    String play(Step step);
}
