package hefix;

import java.lang.reflect.Constructor;

/** Exceptions of the library, made again for the tests, which may catch them by type. */
final class Exceptions {
    private Exceptions() {}

    static Throwable of(String type, String message) {
        try {
            // Classes of the library alone, by the loader that knows no others.
            Class<?> found = Class.forName(type, false, null);
            if (!Throwable.class.isAssignableFrom(found) || !type.startsWith("java.")) return new CandidateException(message);
            for (Constructor<?> constructor : found.getConstructors()) {
                Class<?>[] parameters = constructor.getParameterTypes();
                if (parameters.length == 1 && (parameters[0] == String.class || parameters[0] == Object.class))
                    return (Throwable) constructor.newInstance(message.isEmpty() ? null : message);
            }
            return (Throwable) found.getConstructor().newInstance();
        } catch (ReflectiveOperationException | LinkageError | RuntimeException error) {
            return new CandidateException(message);
        }
    }
}
