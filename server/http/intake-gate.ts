/** What stands before every delivery: the rate of its source, and the bound on how many are under way. */
import type { IngestResult } from "@/server/domain/batch";
import type { Delivery } from "@/server/domain/delivery";
import { CoalmineError } from "@/server/domain/errors";
import type { Intake } from "@/server/domain/intake";
import type { UploadService } from "@/server/domain/upload";
import { metrics } from "./metrics";
import type { HttpServices } from "./services";
import type { SourceQuota } from "./source-quota";

interface Queue {
  /** Deliveries under way, and how many there may be. */
  readonly deliveries: number;
  readonly maxDeliveries: number;
}

export class IntakeGate {
  private refused = 0;

  constructor(
    private readonly inner: HttpServices["ingest"],
    private readonly queue: Queue,
    private readonly quota: SourceQuota,
  ) {}

  /** As the ingest behind it; throws `busy` also for a source over its rate. What our own canaries and the demo bring is free. */
  async ingest(delivery: Delivery): Promise<IngestResult> {
    const { origin, source } = delivery.params;
    if (origin !== "fleet") return await this.passed(delivery);
    try {
      this.quota.admit(source);
    } catch (error) {
      metrics().refused.inc({ reason: "source_rate" });
      throw error;
    }
    return await this.passed({ ...delivery, body: counted(delivery.body, (n) => this.quota.charge(source, n)) });
  }

  state(uploads: Pick<UploadService, "usage"> | null): Intake {
    const { deliveries: underWay, maxDeliveries: most } = this.queue;
    return {
      deliveries: { underWay, most, refused: this.refused },
      uploads: uploads?.usage() ?? null,
      sourceBytesPerMinute: this.quota.bytesPerMinute,
      slowed: this.quota.slowed(),
    };
  }

  private async passed(delivery: Delivery): Promise<IngestResult> {
    try {
      return await this.inner(delivery);
    } catch (error) {
      if (error instanceof CoalmineError && error.code === "busy") {
        this.refused += 1;
        metrics().refused.inc({ reason: "queue_full" });
      }
      throw error;
    }
  }
}

async function* counted(body: AsyncIterable<Uint8Array>, seen: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    seen(chunk.length);
    yield chunk;
  }
}
