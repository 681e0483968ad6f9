package hefix;

/** Stands for an exception of a type that only the candidate knows. */
public final class CandidateException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CandidateException(String message) {
        super(message);
    }
}
