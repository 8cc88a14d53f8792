# Builds Ringward and leaves an image that holds the executable, the C and C++ runtime libraries and nothing to log
# in with. Run it with:
#   docker build --build-arg COMMIT="$(git rev-parse --short=12 HEAD)" -t ringward .
#   docker run --read-only -v ringward:/data -p 8080:8080 ringward
# For real calls the host's own network is simplest, because audio needs thousands of UDP ports:
#   docker run --read-only -v ringward:/data --network host -e RINGWARD_TELEPHONY__CARRIER=sip ringward
FROM node:22-bookworm-slim AS build
WORKDIR /ringward
COPY package.json bun.lock bunfig.toml ./
COPY scripts/ensure-bun scripts/
RUN bash scripts/ensure-bun
COPY . .
ARG COMMIT=unknown
RUN RINGWARD_COMMIT="$COMMIT" ./scripts/build
# The volume has to belong to the user of the final image, where there is no mkdir.
RUN mkdir /empty

# cc rather than base: the SQLite addon needs libstdc++. The user nonroot is 65532.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /ringward/dist/ringward /ringward
COPY --from=build --chown=65532:65532 /empty /data
# The addon is unpacked into TMPDIR at start, once per version. /data can be written and executed from even when the
# root is read-only; a tmpfs that Docker mounts on /tmp cannot.
ENV RINGWARD_SERVER__HOST=0.0.0.0 \
    RINGWARD_DATA__DIR=/data \
    TMPDIR=/data
USER 65532:65532
VOLUME /data
EXPOSE 8080 5060/udp 5060/tcp
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["/ringward", "health"]
ENTRYPOINT ["/ringward"]
CMD ["serve"]
