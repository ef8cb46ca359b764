# Trace viewer for one developer's machine. It listens on loopback only, so run it with --network host. Built from the
# root of the repository with BuildKit:
#   docker buildx build --file deploy/docker/ops-traces.Dockerfile --build-arg VERSION=1.4.2 --build-arg REVISION="$(git rev-parse HEAD)" \
#     --sbom=true --provenance=true --tag registry.example/ops-traces:1.4.2 .

FROM rust:1.95-bookworm AS build
ARG CARGO_AUDITABLE_VERSION=0.7.5
RUN apt-get update \
    && apt-get install --yes --no-install-recommends protobuf-compiler=3.21.* \
    && rm -rf /var/lib/apt/lists/*
# cargo-auditable embeds the compressed list of crates in the binary, where image scanners can read it.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    cargo install --locked --root /opt/cargo-auditable cargo-auditable@${CARGO_AUDITABLE_VERSION}
ENV PATH=/opt/cargo-auditable/bin:$PATH
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target,sharing=locked \
    cargo auditable build --locked --profile dist --package ops-traces --bin ops-traces \
    && sh deploy/docker/rootfs.sh target/dist/ops-traces /rootfs

FROM scratch
ARG VERSION
ARG REVISION
LABEL org.opencontainers.image.title="ops-traces" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /rootfs/ /
USER 10001:10001
WORKDIR /data
# The program has no `health` command, and the image has no other program. Orchestrators probe /healthz and /readyz of
# its operators' listener.
HEALTHCHECK NONE
ENV LOG_FORMAT=json
ENTRYPOINT ["/program"]
