# The gateway of the site. Built from the root of the repository with BuildKit:
#   docker buildx build --file deploy/docker/gateway.Dockerfile --build-arg VERSION=1.4.2 --build-arg REVISION="$(git rev-parse HEAD)" \
#     --sbom=true --provenance=true --tag registry.example/gateway:1.4.2 .

FROM rust:1.95-bookworm AS build
ARG CARGO_AUDITABLE_VERSION=0.7.5
# cargo-auditable embeds the compressed list of crates in the binary, where image scanners can read it.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    cargo install --locked --root /opt/cargo-auditable cargo-auditable@${CARGO_AUDITABLE_VERSION}
ENV PATH=/opt/cargo-auditable/bin:$PATH
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target,sharing=locked \
    cargo auditable build --locked --profile dist --package gateway --bin gateway \
    && sh deploy/docker/rootfs.sh target/dist/gateway /rootfs

FROM scratch
ARG VERSION
ARG REVISION
LABEL org.opencontainers.image.title="gateway" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /rootfs/ /
USER 10001:10001
WORKDIR /data
# `health` probes the serving process. It reads no key and opens no database.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 CMD ["/program", "health"]
ENV LISTEN=0.0.0.0:8080 OPERATORS_LISTEN=0.0.0.0:9090 REMOTES_DIR=/remotes LOG_FORMAT=json
EXPOSE 8080 9090
ENTRYPOINT ["/program"]
