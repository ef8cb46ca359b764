# The image of one program: the gateway, a service or ops-traces. Built from the root of the repository with BuildKit:
#   docker buildx build --file deploy/docker/program.Dockerfile --build-arg PROGRAM=svc-booking \
#     --build-arg VERSION=1.4.2 --build-arg REVISION="$(git rev-parse HEAD)" \
#     --sbom=true --provenance=true --tag registry.example/svc-booking:1.4.2 .
# Compose and Kubernetes set the listening addresses. ops-traces is for one developer's machine: it listens on loopback
# only and has no `health` command, so run it with `--network host --no-healthcheck`.

FROM rust:1.95-bookworm AS build
ARG CARGO_AUDITABLE_VERSION=0.7.5
# Only ops-traces needs protoc.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends protobuf-compiler=3.21.* \
    && rm -rf /var/lib/apt/lists/*
# cargo-auditable embeds the compressed list of crates in the binary, where image scanners can read it.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    cargo install --locked --root /opt/cargo-auditable cargo-auditable@${CARGO_AUDITABLE_VERSION}
ENV PATH=/opt/cargo-auditable/bin:$PATH
WORKDIR /src
COPY . .
ARG PROGRAM
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target,sharing=locked \
    cargo auditable build --locked --profile dist --package "${PROGRAM}" --bin "${PROGRAM}" \
    && sh deploy/docker/rootfs.sh "target/dist/${PROGRAM}" /rootfs

FROM scratch
ARG PROGRAM
ARG VERSION
ARG REVISION
LABEL org.opencontainers.image.title="${PROGRAM}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /rootfs/ /
USER 10001:10001
WORKDIR /data
# `health` probes the serving process. It reads no key and opens no database.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 CMD ["/program", "health"]
ENV LOG_FORMAT=json
ENTRYPOINT ["/program"]
