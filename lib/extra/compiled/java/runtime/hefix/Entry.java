package hefix;

/** What the code behind a candidate does: creates its class, and calls the function with boxed arguments. */
public interface Entry {
    Object create() throws Throwable;

    Object call(Object instance, Object[] arguments) throws Throwable;
}
