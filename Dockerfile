# One static binary, no shell, no root. Build: docker build -t assent .
# Run: docker run -p 8080:8080 -v assent:/data assent
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /out/assent ./cmd/web && mkdir -p /out/data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /usr/local/go/lib/time/zoneinfo.zip /zoneinfo.zip
COPY --from=build /out/assent /assent
COPY --from=build --chown=65532:65532 /out/data /data
ENV ZONEINFO=/zoneinfo.zip ASSENT_ADDR=0.0.0.0:8080 ASSENT_DATA_DIR=/data
USER 65532:65532
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s CMD ["/assent", "doctor", "--health"]
ENTRYPOINT ["/assent"]
