package hefix;

/** A value that cannot be sent, or a message that cannot be read. The message names the value. */
final class Refused extends RuntimeException {
    Refused(String what) {
        super(what, null, false, false);
    }
}
