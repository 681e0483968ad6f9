import { hefixVersion } from '../files/package.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Sends spans to the collector that the environment names, with OpenTelemetry's own variables; without one, or if
 * the process has an SDK of its own, this does nothing. Resolves with a function that sends what is left.
 * @param warn receives a sentence if the packages are not installed, or the last spans cannot be sent
 */
export async function exportSpans(
  env: Environment,
  warn: (sentence: string) => void,
): Promise<() => Promise<void>> {
  const none = async () => {};
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint || env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return none;
  if (await hasSdk()) return none;
  const packages = await loadPackages();
  if (packages === null) {
    warn(
      'No spans are sent: run npm install @opentelemetry/sdk-trace-node@2 @opentelemetry/exporter-trace-otlp-http@0.223 @opentelemetry/resources@2 in the folder where hefix is installed.',
    );
    return none;
  }
  const { sdk, exporter, resources } = packages;
  const provider = new sdk.NodeTracerProvider({
    resource: resources.defaultResource().merge(
      resources.resourceFromAttributes({
        'service.name': env.OTEL_SERVICE_NAME ?? 'hefix',
        'service.version': hefixVersion(),
      }),
    ),
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter())],
  });
  provider.register();
  return async () => {
    // A collector that cannot be reached must not fail the run.
    await provider.shutdown().catch(() => warn('The last spans could not be sent.'));
  };
}

/** Without an SDK, spans have no valid ids. The API takes longer to load than most commands do to start. */
async function hasSdk(): Promise<boolean> {
  const { isSpanContextValid, trace } = await import('@opentelemetry/api');
  return isSpanContextValid(trace.getTracer('hefix').startSpan('').spanContext());
}

async function loadPackages() {
  try {
    const [sdk, exporter, resources] = await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
    return { sdk, exporter, resources };
  } catch {
    return null;
  }
}
